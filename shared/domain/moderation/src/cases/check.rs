//! Checks who may decide a case.

use base::{CaseId, UserId};
use people::Administrator;
use platform::{App, Error, Result};

use super::{Case, CaseAction, CaseLink, Relation};

/// Checks that the caller may take these actions in a case, and may replace the current decision.
///
/// # Errors
/// Fails with [`Error::Forbidden`] if the case is about the caller, or if the caller is one of its reporters. Also
/// fails if the caller is a moderator and only administrators may act.
pub(super) async fn check_may_decide(
    app: &App,
    administrator: &Administrator,
    case: &Case,
    actions: &[CaseAction],
) -> Result<()> {
    check_is_not_about(administrator.id, case)?;
    check_is_no_reporter(app, administrator.id, case.id).await?;
    let is_admin = administrator.is_admin();
    let earlier = case.decision().map(|outcome| outcome.all_actions.as_slice()).unwrap_or_default();
    match () {
        () if !is_admin && case.is_escalated => refuse("only administrators can decide an escalated case"),
        () if !is_admin && actions.iter().chain(earlier).any(|action| action.is_ban()) => {
            refuse("only administrators can ban a user, or undo a ban")
        }
        () => administrator.check_may_judge(app, case.author).await,
    }
}

/// Checks that the caller sent no report of a case.
///
/// # Errors
/// Fails with [`Error::Forbidden`] if the caller is a reporter.
pub(crate) async fn check_is_no_reporter(app: &App, caller: UserId, case: CaseId) -> Result<()> {
    let is_reporter = CaseLink::new(caller, Relation::Reported, case).exists(app).await?;
    if is_reporter { refuse("you cannot decide on your own report") } else { Ok(()) }
}

/// Checks that a case is not about the caller.
///
/// # Errors
/// Fails with [`Error::Forbidden`] if the caller is the reported user.
pub(super) fn check_is_not_about(caller: UserId, case: &Case) -> Result<()> {
    if case.author == caller { refuse("you cannot decide on a report about yourself") } else { Ok(()) }
}

fn refuse(why: &'static str) -> Result<()> {
    Err(Error::Forbidden(why.into()))
}
