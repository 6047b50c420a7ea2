//! Decisions about cases. A decision applies to all reports of the case. A later decision can replace it.

use base::CaseId;
use people::{Administrator, User, users};
use platform::{App, Error, Once, Result, Write};

use super::{
    Case, CaseAction, CaseActions, CaseDecision, CaseView, Decision, check::check_may_decide,
    context::Context, restore,
};
use crate::{any_post::AnyPost, reports::ReportStatus};

/// Decides a case. All reports of the case get the status of the decision, and their reporters are notified. A repeated
/// decision has no effect.
///
/// # Errors
/// - Fails with [`Error::NotFound`] if the case does not exist.
/// - Fails with [`Error::Invalid`] if a field does not fit the actions, or if an action needs a post but a user was
///   reported.
/// - Fails with [`Error::Invalid`] if a stronger sanction than the ban is in force.
/// - Fails with [`Error::Invalid`] if the case is to be dismissed, and its ban was not lifted.
/// - Fails with [`Error::Invalid`] if the decision is only for pending cases, and the case is decided.
/// - Fails with [`Error::Forbidden`] if the caller is the reported user or a reporter.
/// - Fails with [`Error::Forbidden`] if the caller is a moderator and the decision needs an administrator.
pub async fn decide(
    app: &App,
    administrator: &Administrator,
    id: CaseId,
    decision: CaseDecision,
    once: &Once,
) -> Result<CaseView> {
    decision.check()?;
    let decision = Decision::from(decision);
    let decided = once.run_with(app, administrator.id, async || {
        let DecisionWrites { writes, case, banned } =
            decision_writes(app, administrator, id, &decision).await?;
        Ok((writes, case, banned))
    });
    let (case, banned) = decided.await?;
    finish_ban(app, administrator, banned.flatten()).await?;
    super::detail::view(app, case).await
}

/// Revokes the sessions of the user that a decision banned.
pub(super) async fn finish_ban(app: &App, administrator: &Administrator, banned: Option<User>) -> Result<()> {
    match banned {
        Some(user) => accounts::finish_sanction(app, administrator.id, &user).await,
        None => Ok(()),
    }
}

/// The writes of a decision.
pub(crate) struct DecisionWrites {
    /// The writes. Empty if the decision changes nothing.
    pub(crate) writes: Vec<Write>,
    /// The decided case.
    pub(crate) case: Case,
    /// The user that the decision bans.
    pub(super) banned: Option<User>,
}

/// Returns the writes of a decision, including the writes of a ban.
pub(crate) async fn decision_writes(
    app: &App,
    administrator: &Administrator,
    id: CaseId,
    decision: &Decision,
) -> Result<DecisionWrites> {
    let before = super::find(app, id).await?;
    check_may_decide(app, administrator, &before, decision.actions.all()).await?;
    if decision.pending_only && before.status != ReportStatus::Pending {
        return Err(Error::Invalid("this case was already decided".into()));
    }
    if decision.actions.has(CaseAction::Dismiss) && before.has_ban() {
        return Err(Error::invalid("actions", "must not be `dismiss` after a ban. Undo the decision first."));
    }
    let post = restore::find_post(app, &before).await?;
    check_actions(&before, post.as_ref(), &decision.actions)?;
    let is_gone = restore::is_gone(app, &before, post.as_ref()).await?;
    let post = post.filter(|_| !is_gone);
    let warns = decision.actions.has(CaseAction::Warn) && users::find(app, before.author).await?.is_some();
    let context =
        Context { app, administrator, now: app.now(), before: &before, post, is_gone, warns, decision };
    let after = context.decided();
    if context.is_repetition(&after).await? {
        return Ok(DecisionWrites { writes: Vec::new(), case: before, banned: None });
    }
    let ban = context.ban().await?;
    let banned = ban.as_ref().map(|ban| ban.user.clone());
    let case = after.with_ban(banned.as_ref(), context.now);
    Ok(DecisionWrites { writes: context.writes(&case, ban).await?, case, banned })
}

/// Checks that the case has a post that the actions can change.
fn check_actions(case: &Case, post: Option<&AnyPost>, actions: &CaseActions) -> Result<()> {
    let of_post = actions.all().iter().any(|action| action.changes_post());
    let is_plain = actions.has(CaseAction::Sensitive) || actions.has(CaseAction::LockReplies);
    match post {
        None if of_post && case.post().is_none() => Err(Error::invalid(
            "actions",
            "must not change a post, because this case is about a user. Use an action such as `ban`.",
        )),
        Some(AnyPost::CirclePost(_)) if is_plain => {
            Err(Error::invalid("actions", "must not label or lock a post in a circle"))
        }
        _ => Ok(()),
    }
}
