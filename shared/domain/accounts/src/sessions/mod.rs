//! Sessions. A session is one sign-in on one device, or an application token. Every token belongs to a session. When
//! the session ends, its tokens become invalid.

mod count;
mod end_others;
mod refresh;
mod row;

use std::collections::HashSet;

use base::{SessionId, UserId};
use people::{Role, User};
use platform::{
    App, Error, Once, Page, Query, Result, Row, Take, Time, Write, outbox_record_write,
    rate_limit::FIVE_MINUTES, table::Unwritten,
};

use crate::{bearer::Bearer, events::SignedOut, scopes::Scope};

pub(super) use count::count_opening;
pub use count::count_request;
pub use end_others::end_others;
pub use refresh::refresh;
pub use row::{Application, ApplicationName, Session, Standing};

use row::{SORT_KEY_PREFIX, key};

/// Maximum number of live sessions per user.
const SESSIONS_MAX: usize = 20;
/// Attribute that only the rows of application tokens have.
const SECRET_HASH: &str = "secretHash";
/// Maximum number of sessions that one transaction revokes. Enough for all live sessions and tokens of a user.
const REVOKED_MAX: usize = 50;
const ENDED: Error = Error::Unauthenticated("this session has ended. Sign in again.");

/// Returns the roles of a session's user. An application token without the scope `admin:reports` only has the role
/// USER.
///
/// # Errors
/// Fails with [`Error::Forbidden`] if the user is banned or locked.
pub fn roles(session: Session) -> Result<Vec<Role>> {
    let Standing { status, roles } = session.standing;
    status.check_active()?;
    let may_moderate = session.application.is_none_or(|token| token.scopes.contains(&Scope::AdminReports));
    Ok(if may_moderate { roles } else { vec![Role::User] })
}

/// Returns the live session to which a token belongs.
///
/// # Errors
/// Fails with [`Error::Unauthenticated`] if the session has ended.
pub async fn find_live(app: &App, bearer: &Bearer) -> Result<Session> {
    let found = app.table.get::<Session>(&key(bearer.user, bearer.session)).await?;
    check_live(found.filter(|session| session.is_opened_by(bearer)), app.now())
}

/// Returns whether a session was opened by a sign-in within the last 5 minutes.
pub(super) async fn is_recent(app: &App, user: UserId, session: SessionId) -> Result<bool> {
    let found = app.table.get::<Session>(&key(user, session)).await?;
    Ok(found.is_some_and(|session| app.now() < session.created_at.plus_seconds(FIVE_MINUTES)))
}

/// Returns the sessions among `sessions` that are live sessions of the user.
pub async fn live_among(
    app: &App,
    user: UserId,
    sessions: &HashSet<SessionId>,
) -> Result<HashSet<SessionId>> {
    let keys: Vec<_> = sessions.iter().map(|session| key(user, *session)).collect();
    let (now, found): (_, Vec<Session>) = (app.now(), app.table.batch_get(&keys).await?);
    Ok(found.into_iter().filter(|session| session.expires > now).map(|live| live.session).collect())
}

fn check_live(session: Option<Session>, now: Time) -> Result<Session> {
    session.filter(|session| session.expires > now).ok_or(ENDED)
}

/// Revokes a session. Repeating the call has no effect.
pub async fn end(app: &App, user: UserId, session: SessionId) -> Result<()> {
    app.table.transact(sign_out_writes(app, user, Write::delete(key(user, session)))).await
}

/// Ends the session of a user who signs out, and counts the request. Has no effect if the session has already ended.
///
/// # Errors
/// Fails with [`Error::LimitReached`] if the session or the user has reached the limit on writes.
pub async fn sign_out(app: &App, user: UserId, session: SessionId) -> Result<()> {
    match count_request(app, &Bearer::of_session(user, session)).await {
        Ok(_) => end(app, user, session).await,
        Err(Error::Unauthenticated(_)) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Returns the writes that delete a session and publish the event [`SignedOut`], which closes the user's realtime
/// connections.
fn sign_out_writes(app: &App, user: UserId, delete: Write<Unwritten>) -> Vec<Write> {
    let record = outbox_record_write(app).then_publish(&SignedOut { user_id: user });
    vec![delete.into(), record]
}

/// Revokes all sessions and application tokens of a user.
pub async fn revoke_all(app: &App, user: UserId) -> Result<()> {
    revoke_where(app, user, |_| true).await
}

/// Revokes the sessions and application tokens of a user that store other roles than the user now has.
pub(super) async fn revoke_with_other_roles(app: &App, user: &User) -> Result<()> {
    revoke_where(app, user.id, |session| session.standing.roles != user.roles).await
}

/// Revokes all sessions of a user except `kept`, and all application tokens.
pub(super) async fn revoke_others(app: &App, user: UserId, kept: SessionId) -> Result<()> {
    revoke_where(app, user, |session| session.session != kept).await
}

async fn revoke_where(app: &App, user: UserId, is_revoked: impl Fn(&Session) -> bool) -> Result<()> {
    let revoked = all(app, user).await?.into_iter().filter(is_revoked);
    app.table.delete_rows(revoked.map(|session| session.key()).collect()).await
}

/// Returns the write that marks a session as signed in without a second factor.
pub(super) fn clear_second_factor_write(user: UserId, session: SessionId) -> Write {
    Write::update(key(user, session)).set("secondFactor", false).exists().or(ENDED)
}

/// Returns the writes that revoke the newest 50 sessions of a user. Run them in the transaction that deletes the
/// account.
pub async fn end_writes(app: &App, user: UserId) -> Result<Vec<Write>> {
    let newest = all(app, user).await?.into_iter().rev().take(REVOKED_MAX);
    Ok(newest.map(|session| Write::delete(session.key()).into()).collect())
}

/// Revokes the oldest sessions of a user who has more than 20 live sessions.
pub(super) async fn revoke_oldest(app: &App, user: UserId) -> Result<()> {
    let (now, mut live) = (app.now(), all(app, user).await?);
    live.retain(|session| session.expires > now && session.application.is_none());
    live.truncate(live.len().saturating_sub(SESSIONS_MAX));
    app.table.delete_rows(live.iter().map(Row::key).collect()).await
}

/// Returns the live application tokens of a user, oldest first.
pub(super) async fn application_tokens(app: &App, user: UserId) -> Result<Vec<Session>> {
    let (now, mut live) = (app.now(), all(app, user).await?);
    live.retain(|session| session.expires > now && session.application.is_some());
    Ok(live)
}

/// Returns all stored sessions and application tokens of a user, oldest first.
async fn all(app: &App, user: UserId) -> Result<Vec<Session>> {
    app.table.query(&Query::partition(user.partition()).prefix(SORT_KEY_PREFIX).consistent()).await
}

/// Revokes a live session or application token.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the user has no such live session.
pub async fn revoke_live(app: &App, user: UserId, session: SessionId, once: &Once) -> Result<()> {
    once.run(app, user, async || {
        let live = Write::delete(key(user, session)).above("ttl", app.now().seconds());
        Ok((sign_out_writes(app, user, live.or(Error::NotFound("session"))), ()))
    })
    .await
}

/// Revokes a live application token.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the user has no such live token.
pub(super) async fn revoke_application_token(
    app: &App,
    user: UserId,
    token: SessionId,
    once: &Once,
) -> Result<()> {
    once.run(app, user, async || {
        let live = Write::delete(key(user, token)).above("ttl", app.now().seconds()).has(SECRET_HASH);
        Ok((sign_out_writes(app, user, live.or(Error::NotFound("application token"))), ()))
    })
    .await
}

/// Returns a page of a user's live sessions and application tokens, newest first.
pub async fn list(app: &App, user: UserId, take: Take, after: Option<SessionId>) -> Result<Page<Session>> {
    let (now, wanted) = (app.now(), take.rows() + 1);
    let (mut live, mut below) = (Vec::with_capacity(wanted), after);
    while live.len() < wanted {
        let rows = older(app, user, below, wanted).await?;
        let last = rows.len() < wanted;
        below = rows.last().map(|session| session.session);
        live.extend(rows.into_iter().filter(|session| session.expires > now));
        if last {
            break;
        }
    }
    Ok(Page::cut(live, take, |session| session.session.to_string()))
}

/// Returns the next `rows` sessions older than `below`, newest first, including application tokens and expired
/// sessions.
async fn older(app: &App, user: UserId, below: Option<SessionId>, rows: usize) -> Result<Vec<Session>> {
    let query = Query::partition(user.partition()).prefix_before(SORT_KEY_PREFIX, below);
    app.table.query(&query.newest_first().limit(rows).consistent()).await
}
