//! Whether somebody may use their account: bans and locks, and their end.

use platform::{
    App,
    error::{Error, Result},
    table::{Index, Query, Row, Write},
    time::Time,
};
use serde::Deserialize;
use utoipa::ToSchema;

use super::me;
use crate::{
    accounts::sessions,
    ids::UserId,
    ledger::{
        audit::{self, Deed},
        statistics::{self, Count},
    },
    people::users::{self, Role, Status, User},
    reasons::ReasonText,
};

const TRIES: usize = 4;
const CHANGED: Error = Error::Conflict("the account was changed meanwhile");
const TEMP_BAN_SECONDS: i64 = 7 * 24 * 60 * 60;

/// How long somebody is banned, and why.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Ban {
    /// Why; administrators see it.
    pub reason: Option<ReasonText>,
    /// When it ends by itself; never, unless it is said.
    pub banned_until: Option<Time>,
}

/// Why somebody is locked out.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
pub struct Cause {
    /// Why; administrators see it.
    pub reason: Option<ReasonText>,
}

/// What an account's standing becomes.
struct Standing {
    status: Status,
    until: Option<Time>,
    reason: Option<ReasonText>,
}

/// Bans somebody and ends all their sessions; again changes end and reason. 3 calls and 1 for each
/// 25 sessions: 2 RRU, 14 WRU and 1 a session.
///
/// # Errors
/// [`Error::NotFound`]; [`Error::Forbidden`] for oneself or a SUPER_ADMIN; [`Error::Invalid`] for
/// an end that has passed.
pub async fn ban(app: &App, admin: UserId, user: UserId, ban: Ban) -> Result<User> {
    if ban.banned_until.is_some_and(|it| it <= app.now()) {
        return Err(Error::invalid("bannedUntil", "must be in the future"));
    }
    let standing = Standing { status: Status::Banned, until: ban.banned_until, reason: ban.reason };
    shut_out(app, admin, user, Deed::BanUser, standing).await
}

/// Bans somebody for 7 days. As [`ban`].
///
/// # Errors
/// Those of [`ban`].
pub async fn ban_for_a_week(app: &App, admin: UserId, user: UserId, cause: Cause) -> Result<User> {
    let until = app.now().plus_seconds(TEMP_BAN_SECONDS);
    ban(app, admin, user, Ban { reason: cause.reason, banned_until: Some(until) }).await
}

/// Locks an account until it is unlocked. As [`ban`].
///
/// # Errors
/// [`Error::NotFound`]; [`Error::Forbidden`] for oneself or a SUPER_ADMIN.
pub async fn lock(app: &App, admin: UserId, user: UserId, cause: Cause) -> Result<User> {
    let standing = Standing { status: Status::Locked, until: None, reason: cause.reason };
    shut_out(app, admin, user, Deed::LockUser, standing).await
}

/// Ends a lock or a ban. 2 calls, 1 RRU, 14 WRU.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn unlock(app: &App, admin: UserId, user: UserId) -> Result<User> {
    for _ in 0..TRIES {
        let before = users::find(app, user).await?.ok_or(Error::NotFound("user"))?;
        let record = audit::record(app, admin, Deed::UnlockUser, user, None);
        if let Some(after) = change(app, &before, active(), Some(record)).await? {
            return Ok(after);
        }
    }
    Err(CHANGED)
}

/// Ends the bans whose time has come, soonest first, at most `rows`; whether there may be more.
/// 1 call and 1 for each: 10 WRU.
///
/// # Errors
/// Internal only.
pub async fn lift_due(app: &App, rows: usize) -> Result<bool> {
    // Sort keys are `end#id`: everything before the next millisecond is due.
    let query = Query::index(Index::Gsi1, users::BANS_DUE).before(Some(format!("{}#~", app.now())));
    let due: Vec<User> = app.table.query(&query.limit(rows)).await?;
    for user in &due {
        // Refused: somebody else changed it meanwhile, and knows better.
        change(app, user, active(), None).await?;
    }
    Ok(due.len() == rows)
}

fn active() -> Standing {
    Standing { status: Status::Active, until: None, reason: None }
}

async fn shut_out(app: &App, admin: UserId, user: UserId, deed: Deed, standing: Standing) -> Result<User> {
    for _ in 0..TRIES {
        let before = users::find(app, user).await?.ok_or(Error::NotFound("user"))?;
        if before.id == admin {
            return Err(Error::Forbidden("this account is your own".into()));
        }
        if before.roles.contains(&Role::SuperAdmin) {
            return Err(Error::Forbidden("a SUPER_ADMIN stays".into()));
        }
        let Standing { status, until, ref reason } = standing;
        let note = reason.as_ref().map(ToString::to_string);
        let record = audit::record(app, admin, deed, user, note);
        let standing = Standing { status, until, reason: reason.clone() };
        if let Some(after) = change(app, &before, standing, Some(record)).await? {
            sessions::end_all(app, user).await?;
            return Ok(after);
        }
    }
    Err(CHANGED)
}

/// The account after the change; none when it was no longer as it was read.
async fn change(app: &App, before: &User, standing: Standing, also: Option<Write>) -> Result<Option<User>> {
    let Standing { status, until, reason } = standing;
    let after = User { status, banned_until: until, standing_reason: reason, ..before.clone() };
    let counted = counted_again(after.id, before.status, after.status);
    let writes = [move_to(before, &after)].into_iter().chain(counted).chain(also).collect();
    match app.table.transact(writes).await {
        Ok(()) => {
            me::forget(app, after.id);
            Ok(Some(after))
        }
        Err(Error::Conflict(_)) => Ok(None),
        Err(error) => Err(error),
    }
}

fn move_to(before: &User, after: &User) -> Write {
    let places = after.indexes();
    let place = |index| places.iter().find(|(it, _)| *it == index).map(|(_, place)| place.clone());
    let write = Write::update(after.key()).set("status", after.status);
    let write = write.set_or_remove("bannedUntil", after.banned_until);
    let write = write.set_or_remove("standingReason", after.standing_reason.as_ref());
    let write = write.index_key(Index::Gsi1, place(Index::Gsi1)).index_key(Index::Gsi2, place(Index::Gsi2));
    let write = write.equals("status", before.status).equals("roles", &before.roles);
    match before.banned_until {
        Some(until) => write.equals("bannedUntil", until),
        None => write.lacks("bannedUntil"),
    }
    .or(CHANGED)
}

/// A step that counts somebody's change of status; none when it stays.
fn counted_again(user: UserId, before: Status, after: Status) -> Option<Write> {
    let changes = [(counted_as(before), -1), (counted_as(after), 1)];
    let changes = changes.into_iter().filter_map(|(what, by)| Some((what?, by)));
    if before == after { None } else { statistics::count_all(user.random(), changes) }
}

/// What accounts of this status are counted as, beside all accounts.
fn counted_as(status: Status) -> Option<Count> {
    match status {
        Status::Active => None,
        Status::Banned => Some(Count::Banned),
        Status::Locked => Some(Count::Locked),
    }
}
