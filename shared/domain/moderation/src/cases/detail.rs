//! One case with its context.

use base::ids::{CaseId, UserId};
use circles::posts::by_id::AnyPostView;
use ledger::audit::{self, AuditAction};
use people::users::{self, User};
use platform::{
    App,
    error::{Error, Result},
    page::{Cursor, Take},
    table::Query,
};

use super::{
    check::check_is_not_about,
    evidence,
    history::{CaseEvent, PREFIX},
    row::{Case, key, partition},
    view::{CaseAccount, CaseDetail, CaseView},
};
use crate::{
    ban, reported_post,
    reports::{self, ReportStatus},
};

const DECISIONS_MAX: usize = 5;
/// Maximum number of decisions about a user, newest first, that are read to count strikes.
const STRIKES_MAX: usize = 50;
const REPORTS_MAX: usize = 20;
const HISTORY_MAX: usize = 50;

/// Returns the case with this ID.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the case does not exist.
pub(super) async fn find(app: &App, id: CaseId) -> Result<Case> {
    app.table.get(&key(id)).await?.ok_or(Error::NotFound("case"))
}

/// Returns a case with its author and reported content, as in lists.
pub(super) async fn view(app: &App, case: Case) -> Result<CaseView> {
    let evidence = evidence::find(app, case.id);
    let (author, evidence) = futures::try_join!(users::find(app, case.author), evidence)?;
    Ok(case.view(author.map(|user| user.card()), evidence))
}

/// Returns a case with its context. If moderation deleted the post, the view of the evidence is recorded in the audit
/// log.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the case does not exist. Fails with [`Error::Forbidden`] if the case is about the
/// moderator.
pub async fn detail(app: &App, moderator: UserId, id: CaseId) -> Result<CaseDetail> {
    let case = find(app, id).await?;
    check_is_not_about(moderator, &case)?;
    if case.status == ReportStatus::Deleted {
        app.table.write(audit::record_write(app, moderator, AuditAction::ViewEvidence, id, None)).await?;
    }
    let history = Query::partition(partition(id)).prefix(PREFIX).newest_first().limit(HISTORY_MAX);
    let target = case.target();
    let decisions = Cursor { take: Take::of(STRIKES_MAX), after: None };
    let (account, evidence, history, mut decisions, reports, post) = futures::try_join!(
        users::find(app, case.author),
        evidence::find(app, id),
        app.table.query::<CaseEvent>(&history),
        ban::list(app, case.author, decisions),
        reports::latest_about(app, case.author, &target, REPORTS_MAX),
        current_post(app, moderator, &case),
    )?;
    let strikes = decisions.rows.iter().filter(|decision| decision.strike_until > Some(app.now())).count();
    decisions.rows.truncate(DECISIONS_MAX);
    Ok(CaseDetail {
        account: account.as_ref().map(CaseAccount::of),
        case: case.view(account.map(|user| user.card()), evidence),
        post,
        strikes,
        earlier_decisions: decisions.rows,
        reporters: reports::reporters(app, &reports).await?,
        reports: reports.into_iter().map(Into::into).collect(),
        history: history.into_iter().map(Into::into).collect(),
    })
}

/// Returns the reported post as it is now. `None` if it was deleted, its circle died, or a user was reported.
async fn current_post(app: &App, moderator: UserId, case: &Case) -> Result<Option<AnyPostView>> {
    let Some(post) = case.post() else { return Ok(None) };
    match reported_post::detail(app, moderator, post).await {
        Err(Error::NotFound(_)) => Ok(None),
        post => post.map(Some),
    }
}

impl CaseAccount {
    fn of(user: &User) -> Self {
        Self { status: user.status, banned_until: user.banned_until, created_at: user.created_at }
    }
}
