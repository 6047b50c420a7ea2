//! Refreshes a session. A refresh issues the next pair of tokens.

use ledger::security::{self, SecurityEvent};
use people::{User, users};
use platform::{App, Result, Row, Time, Write, table::Attempt};

use super::{ENDED, Session, check_live, count, end, key, row::ends};
use crate::tokens::{Grant, RefreshClaims};

/// After its first use, a refresh token still returns the newest pair of tokens for this time. For example, two browser
/// tabs may refresh with the same token concurrently.
const RACE_SECONDS: i64 = 30;
/// Maximum number of refreshes within [`RACE_SECONDS`] that a session stores.
const REFRESHES_MAX: usize = 10;

/// Refreshes a session. Returns the grant for the next tokens, with the user's current roles and status.
///
/// # Errors
/// Fails with [`platform::Error::Unauthenticated`] if the session has ended or the token was used more than 30 seconds
/// ago. A token that is used again so late may be stolen, so its session is also revoked. Fails with
/// [`platform::Error::Forbidden`] if the user is banned or locked. Fails with [`platform::Error::LimitReached`] if the
/// session or the user has reached the limit on writes.
pub async fn refresh(app: &App, claims: &RefreshClaims) -> Result<Grant> {
    let key = key(claims.sub, claims.sid);
    let (user, session) = futures::try_join!(users::find(app, claims.sub), app.table.get::<Session>(&key))?;
    let user = user.ok_or(ENDED)?;
    user.check_active()?;
    let session = check_live(session, app.now())?;
    match rotate(app, session, claims.generation, &user).await? {
        Some(session) => Ok(session.grant(&user)),
        None => {
            end(app, claims.sub, claims.sid).await?;
            security::log(SecurityEvent::SessionRevoked, claims.sub, "an old refresh token was reused");
            Err(ENDED)
        }
    }
}

/// Moves the session to its next generation and returns the session. Returns `None` if the token of `generation` was
/// used more than 30 seconds ago.
async fn rotate(app: &App, session: Session, generation: u32, user: &User) -> Result<Option<Session>> {
    let now = app.now();
    let current = if session.generation == generation {
        let expires = ends(app, session.created_at);
        let rotation_write = Write::update(session.key()).set("generation", generation + 1);
        let rotation_write =
            rotation_write.set("refreshedAt", now).set("refreshes", session.refreshes_until(now));
        let rotation_write = rotation_write.set("expires", expires).set("ttl", expires.seconds());
        let rotation_write = rotation_write.set("status", user.status).set("roles", &user.roles);
        let rotation_write = count::counted(app, &session, rotation_write)?;
        match app.table.attempt::<Session>(rotation_write.equals("generation", generation)).await? {
            Attempt::Done(rotated) => {
                // The token is used now. If the user is over the limit, only the next write fails.
                count::add_for_user(app, &rotated).await?;
                return Ok(Some(rotated));
            }
            Attempt::Refused(found) => found.ok_or(ENDED)?,
        }
    } else {
        session
    };
    Ok(current.is_just_used(generation, now).then_some(current))
}

impl Session {
    /// Returns the times of the refreshes within the last 30 seconds, including a refresh at `now`.
    fn refreshes_until(&self, now: Time) -> Vec<Time> {
        let recent = self.refreshes.iter().copied().filter(|refresh| is_racing(*refresh, now));
        let mut refreshes: Vec<_> = recent.chain([now]).collect();
        refreshes.drain(..refreshes.len().saturating_sub(REFRESHES_MAX));
        refreshes
    }

    /// Returns whether the refresh token of `generation` was first used within the last 30 seconds.
    fn is_just_used(&self, generation: u32, now: Time) -> bool {
        let refreshes_since = self.generation.saturating_sub(generation) as usize;
        let used =
            self.refreshes.len().checked_sub(refreshes_since).and_then(|index| self.refreshes.get(index));
        used.is_some_and(|at| is_racing(*at, now))
    }
}

fn is_racing(used: Time, now: Time) -> bool {
    now <= used.plus_seconds(RACE_SECONDS)
}
