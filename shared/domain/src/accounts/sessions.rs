//! Sessions: one sign-in on one device. Every token belongs to one, and is dead when it is gone.

use platform::{
    App,
    error::{Error, Result},
    page::{Page, Take},
    rate_limit::{FIVE_MINUTES, RateLimitStatus},
    table::{Attempt, Key, Query, Row, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};

use crate::{
    accounts::tokens::{self, Grant, RefreshClaims},
    ids::{SessionId, UserId},
    people::users::{self, User},
};

/// Two tabs may refresh with one token at the same moment: within this time both get its successor.
const RACE_SECONDS: i64 = 30;
const USER_AGENT_MAX_CHARS: usize = 200;
const TRIES: usize = 4;
const DEAD: Error = Error::Unauthenticated("this session has ended: sign in again");

/// A session's row. Its tokens are computed from it and kept nowhere.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    /// Whose it is.
    pub user: UserId,
    /// Which it is.
    pub session: SessionId,
    /// How often it was refreshed; only the newest refresh token is good.
    pub generation: u32,
    /// When it was opened.
    pub created_at: Time,
    /// When it was opened or last refreshed.
    pub refreshed_at: Time,
    /// When it ends unless it is refreshed.
    pub expires: Time,
    /// What the device calls itself.
    pub user_agent: Option<String>,
    /// End of the window that `writes` counts in.
    pub window_ends: i64,
    /// Signed-in writes of the window.
    pub writes: i64,
}

impl Session {
    /// A session that a user opens now.
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
        }
    }

    /// What its tokens are computed from.
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

/// The session, while it lives. 1 call, 1 RRU.
///
/// # Errors
/// [`Error::Unauthenticated`] when it has ended.
pub async fn find_live(app: &App, user: UserId, session: SessionId) -> Result<Session> {
    let found = app.table.get::<Session>(&key(user, session)).await?;
    found.filter(|it| it.expires > app.now()).ok_or(DEAD)
}

/// Counts a write of a live session. 1 call, 1 WRU; a second one when a window begins.
///
/// # Errors
/// [`Error::Unauthenticated`] when it has ended.
pub async fn count_write(app: &App, user: UserId, session: SessionId) -> Result<RateLimitStatus> {
    let (limit, now) = (*app.settings.write_limit_per_5_min, app.now());
    let standing =
        |it: &Session| RateLimitStatus { limit, used: it.writes, reset: it.window_ends - now.seconds() };
    for _ in 0..TRIES {
        let count = Write::update(key(user, session)).add("writes", 1);
        let found = match app.table.attempt::<Session>(count.above("windowEnds", now.seconds())).await? {
            Attempt::Done(session) => return alive(session, now).map(|it| standing(&it)),
            Attempt::Refused(None) => return Err(DEAD),
            Attempt::Refused(Some(session)) => alive(session, now)?,
        };
        let window = Write::update(key(user, session)).set("windowEnds", now.seconds() + FIVE_MINUTES);
        let window = window.set("writes", 1).equals("windowEnds", found.window_ends);
        if let Attempt::Done(session) = app.table.attempt::<Session>(window).await? {
            return Ok(standing(&session));
        }
    }
    Err(Error::internal(anyhow::anyhow!("a session's window kept moving")))
}

fn alive(session: Session, now: Time) -> Result<Session> {
    (session.expires > now).then_some(session).ok_or(DEAD)
}

/// Turns a refresh token into its successor's grant, with the user's roles and status read anew.
/// 3 calls, 2 RRU and 1 WRU.
///
/// # Errors
/// [`Error::Unauthenticated`] when the token was used more than 30 seconds ago (then the session ends:
/// somebody else may have it) or the session is gone; [`Error::Forbidden`] for a banned or locked user.
pub async fn refresh(app: &App, claims: &RefreshClaims) -> Result<Grant> {
    let key = key(claims.sub, claims.sid);
    let (user, session) = futures::try_join!(users::find(app, claims.sub), app.table.get::<Session>(&key))?;
    let user = user.ok_or(DEAD)?;
    user.may_sign_in()?;
    let session = alive(session.ok_or(DEAD)?, app.now())?;
    match rotate(app, session, claims.generation).await? {
        Some(session) => Ok(session.grant(&user)),
        None => {
            end(app, claims.sub, claims.sid).await?;
            Err(DEAD)
        }
    }
}

/// The session after the refresh, or none when the token is an old one.
async fn rotate(app: &App, session: Session, generation: u32) -> Result<Option<Session>> {
    let now = app.now();
    let current = if session.generation == generation {
        let write = Write::update(session.key()).set("generation", generation + 1);
        let expires = now.plus_seconds(tokens::refresh_seconds(app));
        let write = write.set("refreshedAt", now).set("expires", expires).set("ttl", expires.seconds());
        match app.table.attempt(write.equals("generation", generation)).await? {
            Attempt::Done(rotated) => return Ok(Some(rotated)),
            Attempt::Refused(found) => found.ok_or(DEAD)?,
        }
    } else {
        session
    };
    let raced = current.generation == generation + 1;
    let raced = raced && now <= current.refreshed_at.plus_seconds(RACE_SECONDS);
    Ok(raced.then_some(current))
}

/// Ends one session; ending it again changes nothing. 1 call, 1 WRU.
///
/// # Errors
/// Internal only.
pub async fn end(app: &App, user: UserId, session: SessionId) -> Result<()> {
    app.table.write(Write::delete(key(user, session))).await
}

/// Ends every session of a user. 1 call for the list and 1 for each 25.
///
/// # Errors
/// Internal only.
pub async fn end_all(app: &App, user: UserId) -> Result<()> {
    let all = Query::partition(format!("USER#{user}")).prefix("SESSION#").consistent();
    let sessions: Vec<Session> = app.table.query(&all).await?;
    let keys: Vec<_> = sessions.iter().map(Row::key).collect();
    app.table.batch_write::<Session>(&[], &keys).await
}

/// Ends one session that lives. 1 call, 1 WRU.
///
/// # Errors
/// [`Error::NotFound`] when this user has no such session.
pub async fn end_live(app: &App, user: UserId, session: SessionId) -> Result<()> {
    let live = Write::delete(key(user, session)).above("ttl", app.now().seconds());
    app.table.write(live.or(Error::NotFound("session"))).await
}

/// A user's live sessions, newest first. 1 call, 1 RRU for each 4 KB; one more for each page of
/// rows that have ended and are not swept yet.
///
/// # Errors
/// Internal only.
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

/// The next rows of a user's sessions, ended ones too.
async fn older(app: &App, user: UserId, below: Option<SessionId>, rows: usize) -> Result<Vec<Session>> {
    let high = below.map_or_else(|| "SESSION#~".to_owned(), |it| format!("SESSION#{it}"));
    let query = Query::partition(format!("USER#{user}")).between("SESSION#", high).newest_first();
    // BETWEEN includes both ends: the row below which the next ones are wanted is read again.
    let mut found: Vec<Session> = app.table.query(&query.limit(rows + 1).consistent()).await?;
    found.retain(|it| Some(it.session) != below);
    found.truncate(rows);
    Ok(found)
}

fn key(user: UserId, session: SessionId) -> Key {
    Key::new(format!("USER#{user}"), format!("SESSION#{session}"))
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
