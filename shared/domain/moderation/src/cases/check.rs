//! Checks who may decide a case.

use base::ids::UserId;
use people::users::Administrator;
use platform::{
    App,
    error::{Error, Result},
};

use super::{
    action::CaseActions,
    link::{CaseLink, Relation},
    row::Case,
};

/// Checks that the caller may take these actions in a case.
///
/// # Errors
/// Fails with [`Error::Forbidden`] if the case is about the caller, or if the caller reported its target. Also fails for a
/// moderator if only administrators may act.
pub(super) async fn check_may_decide(
    app: &App,
    administrator: &Administrator,
    case: &Case,
    actions: &CaseActions,
) -> Result<()> {
    check_is_impartial(app, administrator.id, case).await?;
    let is_admin = administrator.is_admin();
    match () {
        () if !is_admin && case.is_escalated => refuse("only administrators can decide an escalated case"),
        () if !is_admin && actions.all().iter().any(|action| action.is_ban()) => {
            refuse("only administrators can ban a user, or undo a ban")
        }
        () => administrator.check_may_judge(app, case.author).await,
    }
}

/// Checks that the caller is neither the reported user nor a reporter.
async fn check_is_impartial(app: &App, caller: UserId, case: &Case) -> Result<()> {
    if case.author == caller {
        return refuse("you cannot decide on a report about yourself");
    }
    let own = CaseLink { user: caller, relation: Relation::Reported, case: case.id };
    if own.exists(app).await? { refuse("you cannot decide on your own report") } else { Ok(()) }
}

fn refuse(why: &'static str) -> Result<()> {
    Err(Error::Forbidden(why.into()))
}
