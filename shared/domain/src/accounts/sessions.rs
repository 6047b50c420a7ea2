//! Sessions: a session is one sign-in on one device. Every token belongs to a session and ends with it.

use platform::{
    App,
    error::{Error, Result},
    page::{Page, Take},
    rate_limit::{FIVE_MINUTES, RateLimitStatus},
    retry_stale,
    table::{Attempt, Key, Query, Row, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};

use crate::{
    accounts::tokens::{self, Grant, RefreshClaims},
    ids::{SessionId, UserId},
    people::users::{self, User},
};

/// Two tabs may refresh with one token at the same moment. Within this time both get the same successor.
const RACE_SECONDS: i64 = 30;
const USER_AGENT_MAX_CHARS: usize = 200;
const SORT_KEY_PREFIX: &str = "SESSION#";
/// A sort key above those of all sessions.
const SORT_KEY_END: &str = "SESSION#~";
const ENDED: Error = Error::Unauthenticated("this session has ended: sign in again");

/// A session's row. Its tokens are computed from it and never stored.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    /// The user whom it belongs to.
    pub user: UserId,
    /// The session's id.
    pub session: SessionId,
    /// The number of refreshes; only the newest refresh token is valid.
    pub generation: u32,
    /// The time at which it was opened.
    pub created_at: Time,
    /// The time at which it was opened or last refreshed.
    pub refreshed_at: Time,
    /// The time at which it ends unless it is refreshed.
    pub expires: Time,
    /// The device's `User-Agent`.
    pub user_agent: Option<String>,
    /// The end of the window in which `writes` are counted, in Unix seconds.
    pub window_ends: i64,
    /// The number of write requests in the window.
    pub writes: i64,
    /// The time of the last write request.
    pub wrote_at: Option<Time>,
}

impl Session {
    /// Returns a session that opens now.
    pub fn open(app: &App, user: UserId, user_agent: Option<&str>) -> Self {
        let now = app.now();
        Self {
            user,
            session: app.ids.next(now),
            generation: 0,
            created_at: now,
            refreshed_at: now,
            expires: now.plus_seconds(tokens::refresh_seconds(app)),
            user_agent: user_agent.map(|it| it.chars().take(USER_AGENT_MAX_CHARS).collect()),
            window_ends: now.seconds() + FIVE_MINUTES,
            writes: 0,
            wrote_at: None,
        }
    }

    /// Returns the grant that its tokens are computed from.
    pub fn grant(&self, user: &User) -> Grant {
        Grant {
            user: self.user,
            session: self.session,
            generation: self.generation,
            at: self.refreshed_at,
            status: user.status,
            roles: user.roles.clone(),
        }
    }
}

/// Returns a live session. Costs 1 call and 1 RRU.
///
/// # Errors
/// [`Error::Unauthenticated`] when it has ended.
pub async fn find_live(app: &App, user: UserId, session: SessionId) -> Result<Session> {
    let found = app.table.get::<Session>(&key(user, session)).await?;
    check_live(found, app.now())
}

/// Counts a write request of a live session. Costs 1 call and 1 WRU, and the same again when a window
/// begins.
///
/// # Errors
/// [`Error::Unauthenticated`] when it has ended.
pub async fn count_request(app: &App, user: UserId, session: SessionId) -> Result<RateLimitStatus> {
    let (limit, now) = (*app.settings.write_limit_per_5_min, app.now());
    let key = key(user, session);
    let counted = retry_stale(async || {
        let count_write = Write::update(key.clone()).add("writes", 1).set("wroteAt", now);
        let count_write = count_write.above("windowEnds", now.seconds());
        match app.table.attempt::<Session>(count_write).await? {
            Attempt::Done(session) => check_live(Some(session), now),
            Attempt::Refused(found) => open_window(app, check_live(found, now)?, now).await,
        }
    });
    let Session { writes: used, window_ends, .. } = counted.await?;
    Ok(RateLimitStatus { limit, used, reset: window_ends - now.seconds() })
}

/// Opens the next window and counts one request in it. It is stale when another request has opened it.
async fn open_window(app: &App, session: Session, now: Time) -> Result<Session> {
    let window_ends = now.seconds() + FIVE_MINUTES;
    let window_write = Write::update(session.key()).set("windowEnds", window_ends).set("writes", 1);
    app.table.write(window_write.set("wroteAt", now).equals("windowEnds", session.window_ends)).await?;
    Ok(Session { window_ends, writes: 1, ..session })
}

fn check_live(session: Option<Session>, now: Time) -> Result<Session> {
    session.filter(|it| it.expires > now).ok_or(ENDED)
}

/// Refreshes a session: returns the grant of the next pair of tokens, with the user's present roles and
/// status. Costs 3 calls, 2 RRU and 1 WRU.
///
/// # Errors
/// [`Error::Unauthenticated`] when the session has ended, or when the token was used more than 30 seconds
/// ago: then the session ends, because the token may be stolen. [`Error::Forbidden`] for a banned or locked
/// user.
pub async fn refresh(app: &App, claims: &RefreshClaims) -> Result<Grant> {
    let key = key(claims.sub, claims.sid);
    let (user, session) = futures::try_join!(users::find(app, claims.sub), app.table.get::<Session>(&key))?;
    let user = user.ok_or(ENDED)?;
    user.check_active()?;
    let session = check_live(session, app.now())?;
    match rotate(app, session, claims.generation).await? {
        Some(session) => Ok(session.grant(&user)),
        None => {
            end(app, claims.sub, claims.sid).await?;
            Err(ENDED)
        }
    }
}

/// Moves the session to its next generation and returns it, or none when the token is an old one.
async fn rotate(app: &App, session: Session, generation: u32) -> Result<Option<Session>> {
    let now = app.now();
    let current = if session.generation == generation {
        let expires = now.plus_seconds(tokens::refresh_seconds(app));
        let rotation_write = Write::update(session.key()).set("generation", generation + 1);
        let rotation_write = rotation_write.set("refreshedAt", now);
        let rotation_write = rotation_write.set("expires", expires).set("ttl", expires.seconds());
        match app.table.attempt(rotation_write.equals("generation", generation)).await? {
            Attempt::Done(rotated) => return Ok(Some(rotated)),
            Attempt::Refused(found) => found.ok_or(ENDED)?,
        }
    } else {
        session
    };
    let raced = current.generation == generation + 1;
    let raced = raced && now <= current.refreshed_at.plus_seconds(RACE_SECONDS);
    Ok(raced.then_some(current))
}

/// Ends a session; a repetition changes nothing. Costs 1 call and 1 WRU.
pub async fn end(app: &App, user: UserId, session: SessionId) -> Result<()> {
    app.table.write(Write::delete(key(user, session))).await
}

/// Ends every session of a user. Costs 1 call, and 1 for each 25 sessions.
pub async fn end_all(app: &App, user: UserId) -> Result<()> {
    let all = Query::partition(user.partition()).prefix(SORT_KEY_PREFIX).consistent();
    let sessions: Vec<Session> = app.table.query(&all).await?;
    let keys: Vec<_> = sessions.iter().map(Row::key).collect();
    app.table.batch_write::<Session>(&[], &keys).await
}

/// Ends a live session. Costs 1 call and 1 WRU.
///
/// # Errors
/// [`Error::NotFound`] when the user has no such live session.
pub async fn end_live(app: &App, user: UserId, session: SessionId) -> Result<()> {
    let live = Write::delete(key(user, session)).above("ttl", app.now().seconds());
    app.table.write(live.or(Error::NotFound("session"))).await
}

/// Returns a page of a user's live sessions, newest first. Costs 1 call and 1 RRU for each 4 KB, and the same
/// again for each page of ended sessions that are not swept yet.
pub async fn list(app: &App, user: UserId, take: Take, after: Option<SessionId>) -> Result<Page<Session>> {
    let (now, wanted) = (app.now(), take.rows() + 1);
    let (mut live, mut below) = (Vec::with_capacity(wanted), after);
    while live.len() < wanted {
        let rows = older(app, user, below, wanted).await?;
        let last = rows.len() < wanted;
        below = rows.last().map(|it| it.session);
        live.extend(rows.into_iter().filter(|it| it.expires > now));
        if last {
            break;
        }
    }
    Ok(Page::cut(live, take, |it| it.session.to_string()))
}

/// Returns the next rows of a user's sessions, ended ones too.
async fn older(app: &App, user: UserId, below: Option<SessionId>, rows: usize) -> Result<Vec<Session>> {
    let high = below.map_or_else(|| SORT_KEY_END.to_owned(), |it| key(user, it).sk);
    let query = Query::partition(user.partition()).between(SORT_KEY_PREFIX, high).newest_first();
    // BETWEEN includes both ends, so it finds the row of `below` too.
    let mut found: Vec<Session> = app.table.query(&query.limit(rows + 1).consistent()).await?;
    found.retain(|it| Some(it.session) != below);
    found.truncate(rows);
    Ok(found)
}

fn key(user: UserId, session: SessionId) -> Key {
    Key::new(user.partition(), format!("{SORT_KEY_PREFIX}{session}"))
}

/// `USER#id / SESSION#sid`, swept when it ends
impl Row for Session {
    fn key(&self) -> Key {
        key(self.user, self.session)
    }

    fn expires(&self) -> Option<Time> {
        Some(self.expires)
    }
}
