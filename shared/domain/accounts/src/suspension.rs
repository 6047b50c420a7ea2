//! Bans and locks accounts.

use base::{announcements::AnnouncedEvent, ids::UserId, jobs::OutboundJob, reasons::ReasonText};
use people::users::{self, Administrator, Status, User};
use platform::{
    App,
    error::{Error, Result},
    outcomes, retry_on_conflict,
    table::{Index, Query, Write},
    time::Time,
};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{events::SignedOut, me};
use crate::sessions;
use ledger::{
    audit::{self, AuditAction},
    security::{self, SecurityEvent},
    statistics::{self, Count},
};

const TEMP_BAN_SECONDS: i64 = 7 * 24 * 60 * 60;

/// A request to ban a user.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BanRequest {
    /// The reason. Only administrators see it.
    pub reason: Option<ReasonText>,
    /// The end of the ban. If omitted, the ban is permanent.
    pub banned_until: Option<Time>,
}

/// A request to lock an account, or to ban a user for 7 days.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
pub struct SuspensionRequest {
    /// The reason. Only administrators see it.
    pub reason: Option<ReasonText>,
}

/// The new status of an account.
struct StatusChange {
    status: Status,
    until: Option<Time>,
    reason: Option<ReasonText>,
}

const ACTIVE: StatusChange = StatusChange { status: Status::Active, until: None, reason: None };

/// Bans a user and revokes all their sessions. A further ban replaces the end and the reason of the earlier ban. A
/// temporary ban does not replace a lock.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the user does not exist. Fails with [`Error::Forbidden`] if the administrator may
/// not act on the user. Fails with [`Error::Invalid`] if the end is in the past.
pub async fn ban(app: &App, admin: &Administrator, user: UserId, request: BanRequest) -> Result<User> {
    let BanRequest { reason, banned_until: until } = request;
    if until.is_some_and(|end| end <= app.now()) {
        return Err(Error::invalid("bannedUntil", "must be in the future"));
    }
    let change = StatusChange { status: Status::Banned, until, reason };
    suspend(app, admin, user, AuditAction::BanUser, change, |before| {
        before.status == Status::Locked && until.is_some()
    })
    .await
}

/// Bans a user for 7 days. A lock or a longer ban stays in force.
///
/// # Errors
/// Fails like [`ban`].
pub async fn ban_for_a_week(
    app: &App,
    admin: &Administrator,
    user: UserId,
    request: SuspensionRequest,
) -> Result<User> {
    let until = app.now().plus_seconds(TEMP_BAN_SECONDS);
    let change = StatusChange { status: Status::Banned, until: Some(until), reason: request.reason };
    suspend(app, admin, user, AuditAction::BanUser, change, |before| match before.status {
        Status::Active => false,
        Status::Banned => before.banned_until.is_none_or(|end| end >= until),
        Status::Locked => true,
    })
    .await
}

/// Locks an account until an administrator unlocks it.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the user does not exist. Fails with [`Error::Forbidden`] if the administrator may
/// not act on the user.
pub async fn lock(
    app: &App,
    admin: &Administrator,
    user: UserId,
    request: SuspensionRequest,
) -> Result<User> {
    let change = StatusChange { status: Status::Locked, until: None, reason: request.reason };
    suspend(app, admin, user, AuditAction::LockUser, change, |_| false).await
}

/// Lifts a lock or a ban.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the user does not exist. Fails with [`Error::Forbidden`] if the administrator may
/// not act on the user.
pub async fn unlock(app: &App, admin: &Administrator, user: UserId) -> Result<User> {
    let unlocked = retry_on_conflict(async || {
        let before = users::find(app, user).await?.ok_or(Error::NotFound("user"))?;
        admin.check_may_act_on(&before)?;
        let record = audit::record_write(app, admin.id, AuditAction::UnlockUser, user, None);
        change_status(app, &before, &ACTIVE, Some(record)).await
    })
    .await?;
    log_change(&unlocked, &format!("by {}", admin.id));
    Ok(unlocked)
}

/// Lifts up to `rows` bans whose end has passed, starting with the earliest end. Returns whether more such bans may
/// exist.
pub async fn lift_due(app: &App, rows: usize) -> Result<bool> {
    // Sort keys are `end#id`. All bans that end at or before the current millisecond are due.
    let query = Query::index(Index::Gsi1, users::BANS_DUE).before(Some(format!("{}#~", app.now())));
    let due: Vec<User> = app.table.query(&query.limit(rows)).await?;
    for user in &due {
        match change_status(app, user, &ACTIVE, None).await {
            Ok(active) => log_change(&active, "the ban has ended"),
            // A concurrent request has changed the status. That change takes precedence.
            Err(Error::WriteConflict) => outcomes::note("the account changed"),
            Err(error) => return Err(error),
        }
    }
    Ok(due.len() == rows)
}

/// Suspends an account unless `keep` returns true for the current state of the account.
async fn suspend(
    app: &App,
    admin: &Administrator,
    user: UserId,
    action: AuditAction,
    change: StatusChange,
    keep: impl Fn(&User) -> bool,
) -> Result<User> {
    let suspended = retry_on_conflict(async || {
        let before = users::find(app, user).await?.ok_or(Error::NotFound("user"))?;
        admin.check_may_act_on(&before)?;
        if keep(&before) {
            return Ok(before);
        }
        let note = change.reason.as_ref().map(ToString::to_string);
        let record = audit::record_write(app, admin.id, action, user, note);
        let announcement = OutboundJob::announce(app, AnnouncedEvent::UserSuspended, user.public());
        let record = record.then_publish(&SignedOut { user_id: user }).then(&announcement);
        change_status(app, &before, &change, Some(record)).await
    })
    .await?;
    log_change(&suspended, &format!("by {}", admin.id));
    sessions::revoke_all(app, user).await?;
    Ok(suspended)
}

fn log_change(user: &User, by: &str) {
    security::log(SecurityEvent::StatusChanged, user.id, &format!("{:?} {by}", user.status));
}

/// Changes the status and the counts in one transaction. Returns the changed account. Fails with a conflict if the
/// status, the end of the ban or the roles changed since the account was read.
async fn change_status(
    app: &App,
    before: &User,
    change: &StatusChange,
    record: Option<Write>,
) -> Result<User> {
    let after = User {
        status: change.status,
        banned_until: change.until,
        standing_reason: change.reason.clone(),
        ..before.clone()
    };
    let counts = counts_write(after.id, before.status, after.status);
    app.table
        .transact([status_write(before, &after)].into_iter().chain(counts).chain(record).collect())
        .await?;
    me::invalidate(app, after.id);
    Ok(after)
}

fn status_write(before: &User, after: &User) -> Write {
    let write = Write::reindex(after).set("status", after.status);
    let write = write.set_or_remove("bannedUntil", after.banned_until);
    let write = write.set_or_remove("standingReason", after.standing_reason.as_ref());
    let write = write.equals("status", before.status).equals("roles", &before.roles);
    match before.banned_until {
        Some(until) => write.equals("bannedUntil", until),
        None => write.lacks("bannedUntil"),
    }
}

/// Returns the write that counts a change of status, or `None` if the status did not change.
fn counts_write(user: UserId, before: Status, after: Status) -> Option<Write> {
    let changes = [(counted_as(before), -1), (counted_as(after), 1)];
    let changes = changes.into_iter().filter_map(|(count, by)| Some((count?, by)));
    if before == after { None } else { statistics::counts_write(user.random(), changes) }
}

/// Returns the counter of a status, or `None` for active accounts.
fn counted_as(status: Status) -> Option<Count> {
    match status {
        Status::Active => None,
        Status::Banned => Some(Count::Banned),
        Status::Locked => Some(Count::Locked),
    }
}
