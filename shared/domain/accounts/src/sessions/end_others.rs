//! Ends all sessions of a user but one, for example after the loss of a device.

use base::{SessionId, UserId};
use ledger::security::{self, SecurityEvent};
use platform::{App, Once, Result, Write};
use tokio::sync::OnceCell;

use super::revoke_others;
use crate::{Device, Notice, NoticeKind, Proof, Proven, SessionOwner, SignedOut, check_proof};

/// Revokes all sessions of a user except `kept`, and all application tokens. The user gets an email.
///
/// The sessions are revoked before the request is recorded as done, so that a repeated request never skips them.
///
/// # Errors
/// Fails as [`check_proof`] does.
pub async fn end_others(
    app: &App,
    owner: SessionOwner,
    kept: SessionId,
    proof: Proof,
    device: &Device,
    once: &Once,
) -> Result<()> {
    let (user, checked) = (owner.id, OnceCell::new());
    let ((), ended) = once
        .run_with(app, user, async || {
            let Proven { mut writes, .. } = check_proof(app, owner, proof.clone(), device, &checked).await?;
            revoke_others(app, user, kept).await?;
            writes.push(notice_write(app, user));
            Ok((writes, (), ()))
        })
        .await?;
    if ended.is_some() {
        security::log(SecurityEvent::SessionRevoked, user, "all other sessions, by their owner");
    }
    Ok(())
}

fn notice_write(app: &App, user: UserId) -> Write {
    let notice = Notice::new(app, NoticeKind::SessionsEnded, user);
    notice.create_write().then_publish(&SignedOut { user_id: user })
}
