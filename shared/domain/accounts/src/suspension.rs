//! Bans and locks accounts.

use std::cmp::Ordering;

use base::{
    announcements::AnnouncedEvent,
    ids::UserId,
    jobs::{Chore, OutboundJob},
    reasons::ReasonText,
};
use people::users::{self, Administrator, Status, User};
use platform::{
    App,
    error::{Error, Result},
    outcomes,
    paged::Paged,
    retry_on_conflict,
    table::{Index, Query, Write},
    time::Time,
};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{
    events::SignedOut,
    me,
    sanction::{self, Sanction},
};
use crate::sessions;
use ledger::{
    audit::{self, AuditAction},
    security::{self, SecurityEvent},
    statistics::{self, Count},
};

/// Duration of a temporary ban.
pub const TEMP_BAN_SECONDS: i64 = 7 * 24 * 60 * 60;

/// A request to ban a user.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BanRequest {
    /// The reason. The user sees it in the refused sign-in and in the list of moderation decisions.
    pub reason: Option<ReasonText>,
    /// The end of the ban. If omitted, the ban is permanent.
    pub banned_until: Option<Time>,
}

/// A request to lock or unlock an account, or to ban a user for 7 days.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
pub struct SuspensionRequest {
    /// The reason. A banned user sees the reason for the ban. Otherwise, only administrators see the reason.
    pub reason: Option<ReasonText>,
}

/// The new sanction of an account.
struct SanctionChange {
    sanction: Sanction,
    reason: Option<ReasonText>,
}

const LIFTED: SanctionChange = SanctionChange { sanction: Sanction::None, reason: None };

/// Bans a user and revokes all their sessions. A stronger ban replaces an earlier sanction and its reason. Repeating a
/// ban has no effect.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the user does not exist. Fails with [`Error::Forbidden`] if the administrator may
/// not act on the user. Fails with [`Error::Invalid`] if the end is in the past, or if a stronger sanction is in force.
pub async fn ban(app: &App, admin: &Administrator, user: UserId, request: BanRequest) -> Result<User> {
    let BanRequest { reason, banned_until } = request;
    if banned_until.is_some_and(|end| end <= app.now()) {
        return Err(Error::invalid("bannedUntil", "must be in the future"));
    }
    let sanction = banned_until.map_or(Sanction::Banned, Sanction::BannedUntil);
    suspend(app, admin, user, AuditAction::BanUser, SanctionChange { sanction, reason }).await
}

/// Bans a user for 7 days.
///
/// # Errors
/// Fails like [`ban`].
pub async fn ban_for_a_week(
    app: &App,
    admin: &Administrator,
    user: UserId,
    request: SuspensionRequest,
) -> Result<User> {
    let sanction = Sanction::BannedUntil(app.now().plus_seconds(TEMP_BAN_SECONDS));
    let change = SanctionChange { sanction, reason: request.reason };
    suspend(app, admin, user, AuditAction::BanUser, change).await
}

/// Locks an account until an administrator unlocks it.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the user does not exist. Fails with [`Error::Forbidden`] if the administrator may
/// not act on the user. Fails with [`Error::Invalid`] if the user is banned permanently.
pub async fn lock(
    app: &App,
    admin: &Administrator,
    user: UserId,
    request: SuspensionRequest,
) -> Result<User> {
    let change = SanctionChange { sanction: Sanction::Locked, reason: request.reason };
    suspend(app, admin, user, AuditAction::LockUser, change).await
}

/// Lifts a lock or a ban. Has no effect on an active account. The reason is stored in the audit log.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the user does not exist. Fails with [`Error::Forbidden`] if the administrator may
/// not act on the user.
pub async fn unlock(
    app: &App,
    admin: &Administrator,
    user: UserId,
    request: SuspensionRequest,
) -> Result<User> {
    retry_on_conflict(async || {
        let before = users::get(app, user).await?;
        admin.check_may_act_on(&before)?;
        if Sanction::of(&before) == Sanction::None {
            return Ok(before);
        }
        let record = record_write(app, admin, AuditAction::UnlockUser, &before, request.reason.as_ref());
        let unlocked = change_sanction(app, &before, &LIFTED, vec![record]).await?;
        log_change(&unlocked, &format!("by {}", admin.id));
        Ok(unlocked)
    })
    .await
}

/// Lifts up to `rows` bans whose end has passed, starting with the earliest end. Returns whether more such bans may
/// exist.
pub async fn lift_due(app: &App, rows: usize) -> Result<bool> {
    // Sort keys are `end#id`. All bans that end at or before the current millisecond are due.
    let query = Query::index(Index::Gsi1, users::BANS_DUE).before(Some(format!("{}#~", app.now())));
    let due: Vec<User> = app.table.query(&query.limit(rows)).await?;
    for user in &due {
        match change_sanction(app, user, &LIFTED, Vec::new()).await {
            Ok(active) => log_change(&active, "the ban has ended"),
            // A concurrent request has changed the status. That change takes precedence.
            Err(Error::WriteConflict) => outcomes::note("the account changed"),
            Err(error) => return Err(error),
        }
    }
    Ok(due.len() == rows)
}

/// Suspends an account and revokes all its sessions. If the account already has this sanction, only revokes the
/// sessions, because an earlier request may have failed before that.
async fn suspend(
    app: &App,
    admin: &Administrator,
    user: UserId,
    action: AuditAction,
    change: SanctionChange,
) -> Result<User> {
    let suspended = retry_on_conflict(async || {
        let before = users::get(app, user).await?;
        admin.check_may_act_on(&before)?;
        let present = Sanction::of(&before);
        match change.sanction.cmp(&present) {
            Ordering::Less => Err(present.refusal()),
            Ordering::Equal => Ok(before),
            Ordering::Greater => impose(app, admin, action, &before, &change).await,
        }
    })
    .await?;
    sessions::revoke_all(app, user).await?;
    Ok(suspended)
}

async fn impose(
    app: &App,
    admin: &Administrator,
    action: AuditAction,
    before: &User,
    change: &SanctionChange,
) -> Result<User> {
    let announcement = OutboundJob::announce(app, AnnouncedEvent::UserSuspended, before.id.public());
    let record = record_write(app, admin, action, before, change.reason.as_ref());
    let record = record.then_publish(&SignedOut { user_id: before.id }).then(&announcement);
    let record = match change.sanction == Sanction::Banned {
        true => record
            .then(&Chore::ReplaceOwner { user: before.id, page: Paged::FIRST })
            .then(&Chore::CloseCases { user: before.id, page: Paged::FIRST }),
        false => record,
    };
    let writes = [record].into_iter().chain(admin.check_write(before)).collect();
    let suspended = change_sanction(app, before, change, writes).await?;
    log_change(&suspended, &format!("by {}", admin.id));
    Ok(suspended)
}

/// Returns the write of the audit log entry, which contains the reason and the sanction before the change.
fn record_write(
    app: &App,
    admin: &Administrator,
    action: AuditAction,
    before: &User,
    reason: Option<&ReasonText>,
) -> Write {
    let reason = reason.map(ToString::to_string);
    audit::sanction_record_write(app, admin.id, action, before.id, reason, sanction::note_of(before))
}

fn log_change(user: &User, by: &str) {
    security::log(SecurityEvent::StatusChanged, user.id, &format!("{:?} {by}", user.status));
}

/// Changes the sanction and the totals of banned and locked accounts, and runs `more` writes in the same transaction.
/// Returns the changed account. Fails with a conflict if the status, the end of the ban or the roles changed after
/// `before` was read.
async fn change_sanction(
    app: &App,
    before: &User,
    change: &SanctionChange,
    more: Vec<Write>,
) -> Result<User> {
    let after = User {
        status: change.sanction.status(),
        banned_until: change.sanction.until(),
        standing_reason: change.reason.clone(),
        suspended_at: (change.sanction != Sanction::None).then(|| app.now()),
        ..before.clone()
    };
    let counts = counts_write(after.id, before.status, after.status);
    let writes = [status_write(before, &after)].into_iter().chain(counts).chain(more);
    app.table.transact(writes.collect()).await?;
    me::invalidate(app, after.id);
    Ok(after)
}

fn status_write(before: &User, after: &User) -> Write {
    let write = Write::reindex(after).set("status", after.status);
    let write = write.set_or_remove("bannedUntil", after.banned_until);
    let write = write.set_or_remove("standingReason", after.standing_reason.as_ref());
    let write = write.set_or_remove("suspendedAt", after.suspended_at);
    let write = write.equals("status", before.status).equals("roles", &before.roles);
    match before.banned_until {
        Some(until) => write.equals("bannedUntil", until),
        None => write.lacks("bannedUntil"),
    }
}

/// Returns the write that updates the totals of banned and locked accounts, or `None` if the status did not change.
fn counts_write(user: UserId, before: Status, after: Status) -> Option<Write> {
    let changes = [(counted_as(before), -1), (counted_as(after), 1)];
    let changes = changes.into_iter().filter_map(|(count, by)| Some((count?, by)));
    if before == after { None } else { statistics::counts_write(user.random(), changes) }
}

/// Returns the total that counts accounts with a status, or `None` for active accounts.
fn counted_as(status: Status) -> Option<Count> {
    match status {
        Status::Active => None,
        Status::Banned => Some(Count::Banned),
        Status::Locked => Some(Count::Locked),
    }
}
