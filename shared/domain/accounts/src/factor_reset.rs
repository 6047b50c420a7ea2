//! Removes a second factor 72 hours after a password reset that requested the removal.
//!
//! Until then, the user gets an email each day. A used code stops the removal, because it shows that the authenticator
//! is not lost.

use base::{Chore, Due, DuePage, UserId, due};
use ledger::security::{self, SecurityEvent};
use people::{User, users};
use platform::{App, Deadline, Error, HOUR_SECONDS, Index, Key, Result, Row, Time, Write};
use serde::{Deserialize, Serialize};

use crate::{
    factor_removal::removal_writes,
    me,
    notices::{Notice, NoticeKind},
    second_factor::{self, SecondFactor},
    sessions,
};

const DAY_SECONDS: i64 = 24 * HOUR_SECONDS;
const WAIT_SECONDS: i64 = 3 * DAY_SECONDS;
/// After a change of the email address, a password reset cannot remove the second factor for this time. Otherwise a
/// thief of the password could change the address first.
const NEW_ADDRESS_SECONDS: i64 = 7 * DAY_SECONDS;

/// A pending removal of a second factor, requested by a password reset.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FactorReset {
    user: UserId,
    asked_at: Time,
    /// The time of the next email, or of the removal.
    next_at: Time,
}

/// Returns the writes that start the removal of a user's second factor, and send the first email. Returns no writes if
/// the second factor is off.
///
/// # Errors
/// Fails with [`Error::Invalid`] if the email address is not confirmed, or was changed within the last 7 days.
pub(crate) fn request_writes(app: &App, user: &User) -> Result<Vec<Write>> {
    if user.second_factor_at.is_none() {
        return Ok(Vec::new());
    }
    let now = app.now();
    let is_new = user.email_set_at.is_some_and(|set_at| now < set_at.plus_seconds(NEW_ADDRESS_SECONDS));
    if user.verified_at.is_none() || is_new {
        return Err(Error::invalid(
            "removeSecondFactor",
            "requires an address confirmed at least 7 days ago",
        ));
    }
    let reset = FactorReset { user: user.id, asked_at: now, next_at: now.plus_seconds(DAY_SECONDS) };
    Ok(vec![Write::put(&reset), Notice::new(app, NoticeKind::SecondFactorEnds, user.id).create_write()])
}

/// Queues a job for the first page of due removals and emails, if any.
pub async fn begin(app: &App) -> Result<()> {
    due::begin::<FactorReset, _>(app, Due::FactorReset, Chore::ResetFactors).await
}

/// Removes second factors and sends emails that are due, page by page until the deadline.
pub async fn pages(app: &App, deadline: &Deadline, page: DuePage) -> Result<()> {
    let step = |reset| remind_or_remove(app, reset);
    due::pages(app, deadline, Due::FactorReset, page, step, Chore::ResetFactors).await
}

/// Sends the next email, or removes the second factor. Ignores a conflict, because a concurrent delivery of the message
/// did the work.
async fn remind_or_remove(app: &App, reset: FactorReset) -> Result<()> {
    match advance(app, &reset).await {
        Err(Error::WriteConflict) => Ok(()),
        done => done,
    }
}

async fn advance(app: &App, reset: &FactorReset) -> Result<()> {
    let factor = app.table.get::<SecondFactor>(&second_factor::key(reset.user)).await?;
    let user = users::find(app, reset.user).await?;
    let delete_write = Write::delete(reset.key()).equals("nextAt", reset.next_at);
    match user.zip(factor).filter(|(user, factor)| reset.applies_to(user, factor)) {
        None => app.table.write(delete_write).await,
        Some((user, factor)) if reset.asked_at.plus_seconds(WAIT_SECONDS) <= app.now() => {
            remove(app, &user, &factor, delete_write.into()).await
        }
        Some(_) => {
            let next_at = reset.next_at.plus_seconds(DAY_SECONDS);
            let postpone_write = Write::put(&FactorReset { next_at, ..reset.clone() });
            let postpone_write = postpone_write.equals("nextAt", reset.next_at);
            let notice = Notice::new(app, NoticeKind::SecondFactorEnds, reset.user);
            app.table.transact(vec![postpone_write, notice.create_write()]).await
        }
    }
}

/// Removes the second factor unless a code was used after the request. Revokes all sessions, because another person may
/// have reset the password. Revokes the sessions before and after the removal, as a password reset does.
async fn remove(app: &App, user: &User, factor: &SecondFactor, delete_write: Write) -> Result<()> {
    sessions::revoke_all(app, user.id).await?;
    let unused = Write::delete(second_factor::key(user.id)).is_still("usedAt", factor.used_at);
    let writes = removal_writes(app, user, unused.into()).into_iter().chain([delete_write]);
    app.table.transact(writes.collect()).await?;
    me::invalidate(app, user.id);
    security::log(SecurityEvent::SecondFactorChanged, user.id, "removed after a password reset");
    sessions::revoke_all(app, user.id).await
}

impl FactorReset {
    /// Returns whether the second factor is still the requested one, and no code was used after the request.
    fn applies_to(&self, user: &User, factor: &SecondFactor) -> bool {
        user.second_factor_at.is_some_and(|on_since| on_since <= self.asked_at)
            && factor.used_at < Some(self.asked_at)
    }
}

/// `USER#id / FACTORRESET`, gsi3 `DUE#FACTORRESET#shard / next step and user`
impl Row for FactorReset {
    fn key(&self) -> Key {
        Key::new(self.user.partition(), "FACTORRESET")
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        vec![(Index::Gsi3, Due::FactorReset.index_key(self.user, self.next_at))]
    }
}
