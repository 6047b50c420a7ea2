//! Turns the second factor off.

use base::ids::{SessionId, UserId};
use ledger::security::{self, SecurityEvent};
use people::users::{self, User};
use platform::{
    App,
    error::{Error, Result},
    idempotency::Once,
    table::Write,
};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    events::SignedOut,
    me,
    notices::{Notice, NoticeKind},
    passwords::TypedPassword,
    reauthentication,
    second_factor::{self, Code},
    sessions,
    tries::Device,
};

/// A request to turn the second factor off.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct SecondFactorRemoval {
    /// The password.
    pub password: TypedPassword,
    /// A code from the authenticator, or a recovery code.
    pub code: Code,
}

/// Turns the second factor off, and revokes the user's other sessions. Marks the current session as signed in without a
/// second factor.
///
/// # Errors
/// Fails with [`Error::Invalid`] if the password or the code is wrong. Fails with [`Error::NotFound`] if the second factor
/// is not on. Fails with [`Error::LimitReached`] after too many attempts.
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
            let user =
                reauthentication::check_password_and_code(app, user, password, Some(code), device).await?;
            if user.second_factor_at.is_none() {
                return Err(Error::NotFound("second factor"));
            }
            sessions::revoke_others(app, user.id, session).await?;
            Ok((removal_writes(app, &user, session), (), ()))
        })
        .await?;
    if removed.is_some() {
        me::invalidate(app, user);
        sessions::revoke_others(app, user, session).await?;
        security::log(SecurityEvent::SecondFactorChanged, user, "off");
    }
    Ok(())
}

fn removal_writes(app: &App, user: &User, session: SessionId) -> Vec<Write> {
    let user_write = Write::update(users::key(user.id)).remove("secondFactorAt");
    let notice_write = Notice::new(app, NoticeKind::SecondFactorOff, user.id).create_write();
    vec![
        Write::delete(second_factor::key(user.id)).into(),
        user_write.is_still("secondFactorAt", user.second_factor_at),
        sessions::clear_second_factor_write(user.id, session),
        notice_write.then_publish(&SignedOut { user_id: user.id }),
    ]
}
