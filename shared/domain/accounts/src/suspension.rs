//! Bans and locks accounts.

use std::cmp::Ordering;

use base::{ReasonText, UserId};
use people::{Administrator, User, users};
use platform::{App, Error, Index, Query, Result, Time, outcomes};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{SanctionChange, me, sanction::Sanction, sanction_change::NewSanction};
use crate::sessions;
use ledger::{
    audit::AuditAction,
    security::{self, SecurityEvent},
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

impl BanRequest {
    /// Returns the requested sanction. Fails if the end is in the past.
    fn sanction(self, app: &App, admin: &Administrator) -> Result<NewSanction> {
        let Self { reason, banned_until } = self;
        if banned_until.is_some_and(|end| end <= app.now()) {
            return Err(Error::invalid("bannedUntil", "must be in the future"));
        }
        let sanction = banned_until.map_or(Sanction::Banned, Sanction::BannedUntil);
        Ok(NewSanction { sanction, reason, by: Some(admin.id) })
    }
}

/// A request to lock or unlock an account, or to ban a user for 7 days.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
pub struct SuspensionRequest {
    /// The reason. A banned user sees the reason for the ban. Otherwise, only administrators see the reason.
    pub reason: Option<ReasonText>,
}

/// A suspension that an administrator requests.
#[derive(Clone, Debug)]
pub enum Suspension {
    /// A ban, permanent or until a time.
    Ban(BanRequest),
    /// A ban for 7 days.
    BanForAWeek(SuspensionRequest),
    /// A lock until an administrator unlocks the account.
    Lock(SuspensionRequest),
}

impl Suspension {
    fn sanction(self, app: &App, admin: &Administrator) -> Result<(AuditAction, NewSanction)> {
        let new = |sanction, reason| NewSanction { sanction, reason, by: Some(admin.id) };
        let week_end = app.now().plus_seconds(TEMP_BAN_SECONDS);
        Ok(match self {
            Self::Ban(request) => (AuditAction::BanUser, request.sanction(app, admin)?),
            Self::BanForAWeek(SuspensionRequest { reason }) => {
                (AuditAction::BanUser, new(Sanction::BannedUntil(week_end), reason))
            }
            Self::Lock(SuspensionRequest { reason }) => {
                (AuditAction::LockUser, new(Sanction::Locked, reason))
            }
        })
    }
}

/// Returns the writes that suspend an account, for a transaction of the caller. After the transaction, call
/// [`finish_sanction`]. A stronger sanction replaces an earlier one and its reason. Returns no writes if the account
/// already has the sanction.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the user does not exist. Fails with [`Error::Forbidden`] if the administrator may
/// not act on the user. Fails with [`Error::Invalid`] if the end is in the past, or if a stronger sanction is in force.
pub async fn suspension_writes(
    app: &App,
    admin: &Administrator,
    user: UserId,
    suspension: Suspension,
) -> Result<SanctionChange> {
    let (action, new) = suspension.sanction(app, admin)?;
    let before = users::get(app, user).await?;
    admin.check_may_act_on(&before)?;
    let present = Sanction::of(&before);
    match new.sanction.cmp(&present) {
        Ordering::Less => Err(present.refusal()),
        Ordering::Equal => Ok(SanctionChange::none(before)),
        Ordering::Greater => Ok(SanctionChange::suspension(app, admin, action, &before, &new)),
    }
}

/// Returns the writes that ban a user and revoke the user's sessions, for a transaction of the caller. After the
/// transaction, call [`finish_sanction`]. Returns no writes if the same ban is in force.
///
/// # Errors
/// Fails like [`suspension_writes`].
pub async fn ban_writes(
    app: &App,
    admin: &Administrator,
    user: UserId,
    request: BanRequest,
) -> Result<SanctionChange> {
    let mut change = suspension_writes(app, admin, user, Suspension::Ban(request)).await?;
    if !change.writes.is_empty() {
        change.writes.extend(sessions::end_writes(app, user).await?);
    }
    Ok(change)
}

/// Returns the writes that lift a lock or a ban, for a transaction of the caller. After the transaction, call
/// [`finish_sanction`]. Returns no writes for an active account. The reason is stored in the audit log.
///
/// # Errors
/// Fails with [`Error::Forbidden`] if the administrator may not act on the user.
pub fn unlock_writes(
    app: &App,
    admin: &Administrator,
    before: User,
    reason: Option<&ReasonText>,
) -> Result<SanctionChange> {
    admin.check_may_act_on(&before)?;
    Ok(match Sanction::of(&before) == Sanction::None {
        true => SanctionChange::none(before),
        false => SanctionChange::lifting(app, admin, &before, reason),
    })
}

/// Lifts up to `rows` bans whose end has passed, starting with the earliest end. Returns whether more such bans may
/// exist.
pub async fn lift_due(app: &App, rows: usize) -> Result<bool> {
    // Sort keys are `end#id`. All bans that end at or before the current millisecond are due.
    let query = Query::index(Index::Gsi1, users::BANS_DUE).before(Some(format!("{}#~", app.now())));
    let due: Vec<User> = app.table.query(&query.limit(rows)).await?;
    for user in &due {
        let change = SanctionChange::new(app, user, &NewSanction::lifted(None), None);
        let active = change.user.clone();
        match app.table.transact(change.into_writes()).await {
            Ok(()) => {
                me::invalidate(app, active.id);
                log_change(&active, "the ban has ended");
            }
            // A concurrent request has changed the status. That change takes precedence.
            Err(Error::WriteConflict) => outcomes::note("the account changed"),
            Err(error) => return Err(error),
        }
    }
    Ok(due.len() == rows)
}

/// Revokes the sessions of an account whose sanction has changed, unless the account is active. Also revokes sessions
/// that were opened while the sanction was being stored.
pub async fn finish_sanction(app: &App, by: UserId, user: &User) -> Result<()> {
    me::invalidate(app, user.id);
    log_change(user, &format!("by {by}"));
    if user.is_active() { Ok(()) } else { sessions::revoke_all(app, user.id).await }
}

fn log_change(user: &User, by: &str) {
    security::log(SecurityEvent::StatusChanged, user.id, &format!("{:?} {by}", user.status));
}
