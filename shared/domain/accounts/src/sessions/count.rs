//! Counts the write requests of a session and of its user.

use platform::{
    App, RateLimit, Result, Row, Time, Write,
    rate_limit::{FIVE_MINUTES, RateLimitStatus},
    retry_on_conflict,
    table::Attempt,
};

use super::{SECRET_HASH, Session, check_live, key};
use crate::bearer::Bearer;

/// A session's write requests are added to the user's count in steps of this number.
const COUNT_STEP: i64 = 10;

/// Counts a write request of a live session. Every tenth request adds ten requests to the user's count.
///
/// # Errors
/// Fails with [`platform::Error::Unauthenticated`] if the session has ended. Fails with
/// [`platform::Error::LimitReached`] if the session or the user exceeds the limit.
pub async fn count_request(app: &App, bearer: &Bearer) -> Result<Session> {
    let (limit, now) = (*app.settings.write_limit_per_5_min, app.now());
    let key = key(bearer.user, bearer.session);
    let counted = retry_on_conflict(async || {
        let count_write = Write::update(key.clone()).add("writes", 1).set("wroteAt", now);
        let count_write = count_write.above("windowEnds", now.seconds());
        let count_write = count_write.is_still(SECRET_HASH, bearer.secret_hash.as_ref());
        match app.table.attempt::<Session>(count_write).await? {
            Attempt::Done(session) => check_live(Some(session), now),
            Attempt::Refused(found) => {
                let found = found.filter(|session| session.is_opened_by(bearer));
                open_window(app, check_live(found, now)?, now).await
            }
        }
    });
    let session = counted.await?;
    let reset = session.window_ends - now.seconds();
    RateLimitStatus { limit, used: session.writes, reset }.enforce()?;
    count_for_user(app, &session).await?;
    Ok(session)
}

/// Adds the count of one request to `write`, which updates the row of a live session.
///
/// # Errors
/// Fails with [`platform::Error::LimitReached`] if the session or the user has reached the limit.
pub(super) fn counted(app: &App, session: &Session, write: Write) -> Result<Write> {
    let (limit, now) = (*app.settings.write_limit_per_5_min, app.now().seconds());
    check_user_limit(app, session)?;
    if session.window_ends > now {
        let (used, reset) = (session.writes + 1, session.window_ends - now);
        RateLimitStatus { limit, used, reset }.enforce()?;
        return Ok(write.add("writes", 1));
    }
    Ok(write.set("windowEnds", now + FIVE_MINUTES).set("writes", 1))
}

/// Adds ten writes to the user's count when a session is opened. The user's count omits the first nine writes of each
/// session, so a user could otherwise avoid the limit with many sessions. If the user is over the limit, the new
/// session cannot write until the window ends.
pub(crate) async fn count_opening(app: &App, session: Session) -> Result<Session> {
    let status = user_limit(app).count_by(app, &session.user.to_string(), COUNT_STEP).await?;
    let end = app.now().seconds() + status.reset;
    Ok(Session { limited_until: (status.used > status.limit).then_some(end), ..session })
}

/// Returns the limit on a user's writes across all sessions, which is a third above the limit of a session. A higher
/// limit would let an account cost more than 2 dollars an hour: see `shared/KEYS.md`.
fn user_limit(app: &App) -> RateLimit {
    let most = app.settings.write_limit_per_5_min.saturating_mul(4) / 3;
    RateLimit { what: "writes", most, seconds: FIVE_MINUTES }
}

/// Adds a session's writes to the user's count, ten at a time. If the user is over the limit, the session's row stores
/// the end of the window. Until that time, write requests fail without another read of the user's count.
async fn count_for_user(app: &App, session: &Session) -> Result<()> {
    check_user_limit(app, session)?;
    match add_for_user(app, session).await? {
        Some(status) => status.enforce(),
        None => Ok(()),
    }
}

/// Fails if the session's row stores that the user is over the limit.
fn check_user_limit(app: &App, session: &Session) -> Result<()> {
    let (limit, now) = (user_limit(app).most, app.now().seconds());
    match session.limited_until.map(|end| end - now).filter(|reset| *reset > 0) {
        Some(reset) => RateLimitStatus { limit, used: limit + 1, reset }.enforce(),
        None => Ok(()),
    }
}

/// Adds ten writes to the user's count if the session's count is a multiple of ten. Returns the user's count, or `None`
/// if nothing was added.
pub(super) async fn add_for_user(app: &App, session: &Session) -> Result<Option<RateLimitStatus>> {
    if session.writes % COUNT_STEP != 0 {
        return Ok(None);
    }
    let status = user_limit(app).count_by(app, &session.user.to_string(), COUNT_STEP).await?;
    if status.used > status.limit {
        let end = app.now().seconds() + status.reset;
        let limit_write = Write::update(session.key()).set("limitedUntil", end).exists();
        app.table.try_write(limit_write).await?;
    }
    Ok(Some(status))
}

/// Opens the session's next 5-minute window and counts one request in it. Fails with a conflict if a concurrent request
/// has opened the window.
async fn open_window(app: &App, session: Session, now: Time) -> Result<Session> {
    let window_ends = now.seconds() + FIVE_MINUTES;
    let window_write = Write::update(session.key()).set("windowEnds", window_ends).set("writes", 1);
    app.table.write(window_write.set("wroteAt", now).equals("windowEnds", session.window_ends)).await?;
    Ok(Session { window_ends, writes: 1, ..session })
}
