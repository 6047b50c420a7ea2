//! Changes the password of an account.

use base::{SessionId, UserId};
use ledger::security::{self, SecurityEvent};
use people::{User, users};
use platform::{App, Error, Once, Result, Write};
use serde::Deserialize;
use utoipa::ToSchema;

use super::{Device, NewPassword, Notice, NoticeKind, SignedOut, TypedPassword, reauthentication, sessions};

const FIELD: &str = "currentPassword";

/// A request to change the password.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PasswordChange {
    /// The current password.
    pub current_password: TypedPassword,
    /// The new password.
    pub password: NewPassword,
}

/// Changes the password. Also revokes the user's other sessions, all application tokens and all mailed links.
///
/// Revokes the sessions both before and after the change, for the reasons given at [`super::reset`].
///
/// # Errors
/// Fails with [`Error::Invalid`] if the current password is wrong. Fails with [`Error::LimitReached`] after too many
/// attempts.
pub async fn change_password(
    app: &App,
    user: UserId,
    session: SessionId,
    request: PasswordChange,
    device: &Device,
    once: &Once,
) -> Result<()> {
    let ((), changed) = once
        .run_with(app, user, async || {
            let PasswordChange { current_password, password } = request.clone();
            let before =
                reauthentication::check_password(app, user, (FIELD, current_password), device).await?;
            let hash = password.hash().await?;
            sessions::revoke_others(app, user, session).await?;
            Ok((change_writes(app, &before, hash), (), ()))
        })
        .await?;
    if changed.is_some() {
        sessions::revoke_others(app, user, session).await?;
        security::log(SecurityEvent::PasswordReset, user, "with the current password");
    }
    Ok(())
}

fn change_writes(app: &App, before: &User, hash: String) -> Vec<Write> {
    let user_write =
        Write::update(users::key(before.id)).set("passwordHash", hash).set("passwordSetAt", app.now());
    let user_write = user_write.equals("passwordHash", &before.password_hash);
    let notice_write = Notice::new(app, NoticeKind::PasswordChanged, before.id).create_write();
    let notice_write = notice_write.then_publish(&SignedOut { user_id: before.id });
    vec![user_write.or(Error::invalid(FIELD, "is wrong")), notice_write]
}
