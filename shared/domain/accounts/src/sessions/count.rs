//! Counting what a session and its user write.

use platform::{
    App,
    error::Result,
    rate_limit::{FIVE_MINUTES, RateLimit, RateLimitStatus},
    retry_on_conflict,
    table::{Attempt, Row, Write},
    time::Time,
};

use super::{
    SECRET_HASH, check_live,
    row::{Session, key},
};
use crate::bearer::Bearer;

/// The writes of a session that are counted for its user at once.
const TOGETHER: i64 = 10;

/// Counts a write request of a live session, and each tenth for its user.
///
/// # Errors
/// [`platform::Error::Unauthenticated`] when it has ended; [`platform::Error::LimitReached`] over the limit of the session or the user.
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
                let found = found.filter(|it| it.is_opened_by(bearer));
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

/// Counts ten writes of the user for a session that opens: its first nine count for nobody, and sessions can be opened
/// one after the other. Who wrote too much opens one that may not write yet.
pub(crate) async fn count_opening(app: &App, session: Session) -> Result<Session> {
    let status = of_user(app).count_by(app, &session.user.to_string(), TOGETHER).await?;
    let end = app.now().seconds() + status.reset;
    Ok(Session { limited_until: (status.used > status.limit).then_some(end), ..session })
}

/// The writes of a user: of all their sessions together.
fn of_user(app: &App) -> RateLimit {
    let most = app.settings.write_limit_per_5_min.saturating_mul(2);
    RateLimit { what: "writes", most, seconds: FIVE_MINUTES }
}

/// Counts a session's writes for its user, ten at a time. A session that finds that they are too many remembers it, and
/// asks no more in that window.
async fn count_for_user(app: &App, session: &Session) -> Result<()> {
    let (limit, now) = (of_user(app), app.now().seconds());
    if let Some(reset) = session.limited_until.map(|end| end - now).filter(|it| *it > 0) {
        return RateLimitStatus { limit: limit.most, used: limit.most + 1, reset }.enforce();
    }
    if session.writes % TOGETHER != 0 {
        return Ok(());
    }
    let status = limit.count_by(app, &session.user.to_string(), TOGETHER).await?;
    if status.used > status.limit {
        let struck = Write::update(session.key()).set("limitedUntil", now + status.reset).exists();
        app.table.try_write(struck).await?;
    }
    status.enforce()
}

/// Opens the next window and counts one request in it. It is stale when another request has opened it.
async fn open_window(app: &App, session: Session, now: Time) -> Result<Session> {
    let window_ends = now.seconds() + FIVE_MINUTES;
    let window_write = Write::update(session.key()).set("windowEnds", window_ends).set("writes", 1);
    app.table.write(window_write.set("wroteAt", now).equals("windowEnds", session.window_ends)).await?;
    Ok(Session { window_ends, writes: 1, ..session })
}
