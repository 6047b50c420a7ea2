//! A ban as a decision that the banned user sees, and can appeal.

use accounts::{SanctionChange, Suspension, SuspensionRequest};
use base::{CaseId, Position, PostId, ReasonText, UserId};
use people::{Administrator, Status, User, users};
use platform::{App, Cursor, Page, Result, Time, Write, retry_on_conflict};
use ulid::Ulid;

use crate::{
    author_decision::{self, AuthorDecision, AuthorDecisionView, Grounds, ShownAction, Subject},
    cases,
    decider::Decider,
    reports::Category,
};

/// Returns a page of the moderation decisions about a banned user, newest first. Until the user appeals a ban without a
/// case, the first page begins with this ban.
pub async fn list(app: &App, user: UserId, cursor: Cursor<Position>) -> Result<Page<AuthorDecisionView>> {
    let ban = in_force(app, user).await?.filter(|ban| ban.is_new);
    author_decision::list_after(app, user, ban, cursor).await
}

/// Adds the current ban of a user to the stored decisions about the user, unless one of them is about this ban.
pub(crate) fn with_current(
    app: &App,
    user: Option<&User>,
    stored: Vec<AuthorDecision>,
) -> Vec<AuthorDecision> {
    let banned = user.filter(|user| user.status == Status::Banned);
    let banned = banned.filter(|user| !stored.iter().any(|decision| is_of_ban(decision, user)));
    let Some(ban) = banned.map(|user| unstored(app, user)) else { return stored };
    let earlier: Vec<_> = stored.into_iter().map(|decision| decision.replaced_by(&ban)).collect();
    [ban].into_iter().chain(earlier).collect()
}

/// Returns the decision behind the current ban of a user, or `None` if the user is not banned. Until the user appeals,
/// the decision about a ban without a case is not stored but computed from the account.
pub(crate) async fn in_force(app: &App, user: UserId) -> Result<Option<AuthorDecision>> {
    let Some(user) = users::find(app, user).await?.filter(|user| user.status == Status::Banned) else {
        return Ok(None);
    };
    let stored = author_decision::find(app, user.id, subject(user.id).id).await?;
    Ok(Some(stored.filter(|stored| is_of_ban(stored, &user)).unwrap_or_else(|| unstored(app, &user))))
}

/// Returns whether the subject of a decision is the user, not a post. `id` is the ID of that subject.
pub(crate) fn is_about(user: UserId, id: PostId) -> bool {
    subject(user).id == id
}

/// Returns the subject of decisions about a user.
fn subject(user: UserId) -> Subject {
    Subject { user, id: Ulid::from(user.public()).into() }
}

/// Returns whether a decision is about the current ban of a user.
fn is_of_ban(decision: &AuthorDecision, user: &User) -> bool {
    decision.ban_at.is_some() && decision.ban_at == user.suspended_at
}

/// Returns the writes that store the decision that banned `user` in a case. Returns no writes if a decision about the
/// same ban is stored.
pub(crate) async fn imposed_writes(
    app: &App,
    user: &User,
    (case, warning): (CaseId, Option<String>),
    grounds: Grounds,
) -> Result<Vec<Write>> {
    let earlier = author_decision::find(app, user.id, subject(user.id).id).await?;
    if earlier.as_ref().is_some_and(|earlier| is_of_ban(earlier, user)) {
        return Ok(Vec::new());
    }
    let more = warning.iter().map(|_| ShownAction::Warned).collect();
    let imposed = AuthorDecision { case: Some(case), more, warning, ..imposed(app, user, grounds) };
    Ok(imposed.replacing_writes(app, earlier.as_ref()))
}

/// Returns the decision that banned `user`.
fn imposed(app: &App, user: &User, grounds: Grounds) -> AuthorDecision {
    let ban = AuthorDecision::new(app, subject(user.id), ShownAction::Banned, grounds);
    let at = user.suspended_at.unwrap_or(ban.created_at);
    AuthorDecision { created_at: at, ban_at: Some(at), banned_until: user.banned_until, ..ban }
}

fn unstored(app: &App, user: &User) -> AuthorDecision {
    let reason = user.standing_reason.as_ref().map(ToString::to_string);
    let grounds = Grounds { decided_by: user.suspended_by, reason, category: Category::Other };
    AuthorDecision { decider: Decider::Administrator, is_new: true, ..imposed(app, user, grounds) }
}

/// Returns the writes that end the decision about the ban that began at `banned_at`. Returns no writes if no ban is
/// given, or if a later decision has replaced this decision.
pub(crate) async fn end_writes(app: &App, user: UserId, banned_at: Option<Time>) -> Result<Vec<Write>> {
    let Some(banned_at) = banned_at else { return Ok(Vec::new()) };
    let stored = author_decision::find(app, user, subject(user).id).await?;
    let is_current =
        |stored: &AuthorDecision| stored.ban_at == Some(banned_at) && stored.restored_at.is_none();
    Ok(stored.filter(is_current).map(|stored| stored.end_writes(app.now())).unwrap_or_default())
}

/// Returns the writes that lift the user's ban that began at `banned_at`. Returns `None` if that ban is no longer in
/// force.
pub(crate) async fn lift_writes(
    app: &App,
    administrator: &Administrator,
    (user, banned_at): (UserId, Time),
    reason: Option<&ReasonText>,
) -> Result<Option<SanctionChange>> {
    let user = users::find(app, user).await?.filter(|user| user.suspended_at == Some(banned_at));
    user.map(|user| accounts::unlock_writes(app, administrator, user, reason)).transpose()
}

/// Suspends an account and revokes all its sessions. Closes a pending appeal against an earlier ban, because lifting
/// that ban would no longer help the user. Repeating a suspension only revokes the sessions, because the earlier
/// request may have failed before it revoked them.
///
/// # Errors
/// Fails like [`accounts::suspension_writes`].
pub async fn suspend(
    app: &App,
    administrator: &Administrator,
    user: UserId,
    suspension: Suspension,
) -> Result<User> {
    let (user, is_changed) = retry_on_conflict(async || {
        let change = accounts::suspension_writes(app, administrator, user, suspension.clone()).await?;
        let (user, is_changed) = (change.user.clone(), !change.writes.is_empty());
        let mut writes = change.into_writes();
        if is_changed {
            let earlier = author_decision::find(app, user.id, subject(user.id).id).await?;
            writes.extend(earlier.map(|earlier| earlier.close_appeal_writes(app.now())).unwrap_or_default());
        }
        app.table.write_all(writes).await?;
        Ok((user, is_changed))
    })
    .await?;
    match is_changed {
        true => accounts::finish_sanction(app, administrator.id, &user).await?,
        false => accounts::sessions::revoke_all(app, user.id).await?,
    }
    Ok(user)
}

/// Lifts a lock or a ban, and ends the decision about the ban. The case of the ban then says that the ban was lifted.
/// Has no effect on an active account. The reason is stored in the audit log.
///
/// # Errors
/// Fails with [`platform::Error::NotFound`] if the user does not exist. Fails with [`platform::Error::Forbidden`] if
/// the administrator may not act on the user.
pub async fn unlock(
    app: &App,
    administrator: &Administrator,
    user: UserId,
    request: SuspensionRequest,
) -> Result<User> {
    let (user, is_changed) = retry_on_conflict(async || {
        let before = users::get(app, user).await?;
        let change = accounts::unlock_writes(app, administrator, before, request.reason.as_ref())?;
        if change.writes.is_empty() {
            return Ok((change.user, false));
        }
        let (user, mut writes) = (change.user.clone(), change.into_writes());
        writes.extend(lifted_writes(app, administrator.id, user.id).await?);
        app.table.transact(writes).await?;
        Ok((user, true))
    })
    .await?;
    if is_changed {
        accounts::finish_sanction(app, administrator.id, &user).await?;
    }
    Ok(user)
}

/// Returns the writes that end the stored decision about a ban that is in force, and record the end in its case.
async fn lifted_writes(app: &App, by: UserId, user: UserId) -> Result<Vec<Write>> {
    let is_in_force = |ban: &AuthorDecision| {
        let has_ended = ban.banned_until.is_some_and(|end| end <= app.now());
        ban.action == ShownAction::Banned && ban.restored_at.is_none() && !has_ended
    };
    let stored = author_decision::find(app, user, subject(user).id).await?.filter(is_in_force);
    let Some(ban) = stored else { return Ok(Vec::new()) };
    let mut writes = ban.end_writes(app.now());
    writes.extend(cases::lifted_writes(app, ban.case.zip(ban.ban_at), (by, None)).await?);
    Ok(writes)
}
