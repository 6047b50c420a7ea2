//! A ban as a decision that the banned user sees, and can appeal.

use accounts::SuspensionRequest;
use base::{
    ids::{Position, PostId, UserId},
    reasons::ReasonText,
};
use people::users::{self, Administrator, Status, User};
use platform::{
    App,
    error::Result,
    page::{Cursor, Page},
    table::Write,
    time::Time,
};
use ulid::Ulid;

use crate::{
    decider::Decider,
    enforcement::{self, Enforcement, EnforcementView, Grounds, Measure, Subject},
    reports::Category,
};

/// Returns a page of the moderation decisions about a banned user, newest first. The first page begins with the ban.
pub async fn list(app: &App, user: UserId, cursor: Cursor<Position>) -> Result<Page<EnforcementView>> {
    let is_first = cursor.after.is_none();
    let mut page = enforcement::list(app, user, cursor).await?;
    let ban = if is_first { in_force(app, user).await? } else { None };
    let is_listed =
        |ban: &Enforcement| page.rows.iter().any(|row| (row.id, row.measure) == (ban.post, ban.measure));
    if let Some(ban) = ban.filter(|ban| !is_listed(ban)) {
        page.rows.insert(0, ban.view());
    }
    Ok(page)
}

/// Returns the decision behind the current ban of a user, or `None` if the user is not banned. Until the user appeals,
/// the decision about a ban without a case is not stored but computed from the account.
pub(crate) async fn in_force(app: &App, user: UserId) -> Result<Option<Enforcement>> {
    let Some(user) = users::find(app, user).await?.filter(|user| user.status == Status::Banned) else {
        return Ok(None);
    };
    let stored = enforcement::find(app, user.id, subject(user.id).id).await?;
    let is_of_ban = |stored: &Enforcement| stored.ban_at.is_some() && stored.ban_at == user.suspended_at;
    Ok(Some(stored.filter(is_of_ban).unwrap_or_else(|| unstored(app, &user))))
}

/// Returns whether the subject of a decision is the user, not a post. `id` is the ID of that subject.
pub(crate) fn is_about(user: UserId, id: PostId) -> bool {
    subject(user).id == id
}

/// Returns the subject of decisions about a user.
fn subject(user: UserId) -> Subject {
    Subject { user, id: Ulid::from(user.public()).into() }
}

/// Returns the decision that bans `user`, based on a case.
pub(crate) fn imposed(app: &App, user: &User, grounds: Grounds) -> Enforcement {
    let ban = Enforcement::new(app, subject(user.id), Measure::Banned, grounds);
    let at = user.suspended_at.unwrap_or(ban.created_at);
    Enforcement { created_at: at, ban_at: Some(at), ..ban }
}

fn unstored(app: &App, user: &User) -> Enforcement {
    let reason = user.standing_reason.as_ref().map(ToString::to_string);
    let grounds = Grounds { decided_by: None, reason, category: Category::Other };
    Enforcement { decider: Decider::Administrator, is_new: true, ..imposed(app, user, grounds) }
}

/// Returns the write that ends the decision about the ban that began at `banned_at`. Returns `None` if no ban is given,
/// or if a later decision has replaced this decision.
pub(crate) async fn ended_write(app: &App, user: UserId, banned_at: Option<Time>) -> Result<Option<Write>> {
    let Some(banned_at) = banned_at else { return Ok(None) };
    let stored = enforcement::find(app, user, subject(user).id).await?;
    let is_of_ban = |stored: &Enforcement| stored.ban_at == Some(banned_at) && stored.restored_at.is_none();
    Ok(stored.filter(is_of_ban).map(|stored| stored.restored_write(app.now())))
}

/// Lifts the user's ban that began at `banned_at`, if that ban is still in force.
pub(crate) async fn lift(
    app: &App,
    administrator: &Administrator,
    (user, banned_at): (UserId, Time),
    reason: Option<ReasonText>,
) -> Result<()> {
    let user = users::find(app, user).await?.filter(|user| user.suspended_at == Some(banned_at));
    match user {
        Some(user) => {
            accounts::unlock(app, administrator, user.id, SuspensionRequest { reason }).await.map(drop)
        }
        None => Ok(()),
    }
}
