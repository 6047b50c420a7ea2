//! One case with its context.

use base::{CaseId, UserId};
use circles::posts::by_id::AnyPostView;
use ledger::audit::{self, AuditAction};
use people::User;
use platform::{App, Error, Query, Result};

use super::{
    Case, CaseDetail, CaseEvent, CaseView,
    check::check_is_not_about,
    evidence,
    history::PREFIX,
    people::CasePeople,
    row::{key, partition},
    view::{CaseAccount, ReportedContent},
};
use crate::{AnyPost, AuthorDecision, author_decision, ban, reported_post, reports};

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
    let posts = [case.evidence_post];
    let (people, evidence, existing) = futures::try_join!(
        CasePeople::of(app, &case),
        evidence::find(app, case.id),
        AnyPost::existing(app, &posts)
    )?;
    let evidence = evidence.filter(|_| case.is_content_public(!existing.is_empty()));
    Ok(case.view(&people, ReportedContent::of(app, evidence).await?))
}

/// Returns a case with its context. If the post no longer exists, the audit log records that the caller read the
/// evidence.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the case does not exist. Fails with [`Error::Forbidden`] if the case is about the
/// moderator.
pub async fn detail(app: &App, moderator: UserId, id: CaseId) -> Result<CaseDetail> {
    let case = find(app, id).await?;
    check_is_not_about(moderator, &case)?;
    let history = Query::partition(partition(id)).prefix(PREFIX).newest_first().limit(HISTORY_MAX);
    let target = case.target();
    let (people, evidence, history, decisions, reports, post) = futures::try_join!(
        CasePeople::of(app, &case),
        evidence::find(app, id),
        app.table.query::<CaseEvent>(&history),
        author_decision::newest(app, case.author, None, STRIKES_MAX),
        reports::latest_about(app, (case.author, id), &target, REPORTS_MAX),
        current_post(app, moderator, &case),
    )?;
    let post_exists = match case.post() {
        Some(_) => post.is_some(),
        None => AnyPost::find(app, case.evidence_post).await?.is_some_and(|post| !post.is_deleted()),
    };
    if evidence.is_some() && !case.is_content_public(post_exists) {
        app.table.write(audit::record_write(app, moderator, AuditAction::ViewEvidence, id, None)).await?;
    }
    let author = people.author(&case);
    let decisions = ban::with_current(app, author, decisions);
    let mut decisions: Vec<_> = decisions.into_iter().map(AuthorDecision::view).collect();
    let strikes = decisions.iter().filter(|decision| decision.strike_until > Some(app.now())).count();
    decisions.truncate(DECISIONS_MAX);
    Ok(CaseDetail {
        account: author.map(CaseAccount::of),
        case: case.view(&people, ReportedContent::of(app, evidence).await?),
        post,
        strikes,
        earlier_decisions: decisions,
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
