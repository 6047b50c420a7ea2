//! Turns the second factor off.

use base::{SessionId, UserId};
use ledger::{
    audit::{self, AuditAction},
    security::{self, SecurityEvent},
};
use people::{Email, User, addresses, users};
use platform::{App, Error, Once, Result, Write};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    Code, Device, Notice, NoticeKind, SignedOut, TypedPassword, me, reauthentication, second_factor, sessions,
};

/// A request to turn the second factor off.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct SecondFactorRemoval {
    /// The user's current password.
    pub password: TypedPassword,
    /// A code from the authenticator, or a recovery code.
    pub code: Code,
}

/// Turns the second factor off, and revokes the user's other sessions. Marks the current session as signed in without a
/// second factor.
///
/// # Errors
/// Fails with [`Error::Invalid`] if the password or the code is wrong. Fails with [`Error::NotFound`] if the second
/// factor is not on. Fails with [`Error::LimitReached`] after too many attempts.
pub async fn disable_second_factor(
    app: &App,
    user: UserId,
    session: SessionId,
    request: SecondFactorRemoval,
    device: &Device,
    once: &Once,
) -> Result<()> {
    let ((), removed) = once
        .run_with(app, user, async || {
            let SecondFactorRemoval { password, code } = request.clone();
            let (user, code) = reauthentication::check_both(app, user, password, Some(code), device).await?;
            let code = code.ok_or(Error::NotFound("second factor"))?;
            let factor_write = code.take_back_and_delete(app).await?;
            sessions::revoke_others(app, user.id, session).await?;
            let mark = sessions::clear_second_factor_write(user.id, session);
            let writes = removal_writes(app, &user, factor_write);
            Ok((writes.into_iter().chain([mark]).collect(), (), ()))
        })
        .await?;
    if removed.is_some() {
        me::invalidate(app, user);
        sessions::revoke_others(app, user, session).await?;
        security::log(SecurityEvent::SecondFactorChanged, user, "off");
    }
    Ok(())
}

/// Removes a user's second factor and revokes all sessions, for an operator's command. Returns whether the second
/// factor was on.
///
/// # Errors
/// Fails with [`Error::NotFound`] if no user has this address.
pub async fn remove_second_factor(app: &App, email: &Email) -> Result<bool> {
    let id = addresses::find_user(app, &email.to_string()).await?.ok_or(Error::NotFound("user"))?;
    let user = users::get(app, id).await?;
    if user.second_factor_at.is_none() {
        return Ok(false);
    }
    let record = audit::record_write(app, None, AuditAction::RemoveSecondFactor, id, None);
    let writes = removal_writes(app, &user, Write::delete(second_factor::key(id)).into());
    app.table.transact(writes.into_iter().chain([record]).collect()).await?;
    me::invalidate(app, id);
    sessions::revoke_all(app, id).await?;
    security::log(SecurityEvent::SecondFactorChanged, id, "removed by an operator");
    Ok(true)
}

/// Returns the writes that turn the second factor off, send an email, and publish [`SignedOut`]. `factor_write` deletes
/// the row of the second factor.
pub(crate) fn removal_writes(app: &App, user: &User, factor_write: Write) -> Vec<Write> {
    let user_write = Write::update(users::key(user.id)).remove("secondFactorAt");
    let notice_write = Notice::new(app, NoticeKind::SecondFactorOff, user.id).create_write();
    vec![
        factor_write,
        user_write.is_still("secondFactorAt", user.second_factor_at),
        notice_write.then_publish(&SignedOut { user_id: user.id }),
    ]
}
