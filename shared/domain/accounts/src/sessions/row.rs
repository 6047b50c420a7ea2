//! The row of a session.

use base::{SessionId, UserId};
use people::{Role, Status, User, users::display_name};
use platform::{App, HOUR_SECONDS, Key, Row, Time, rate_limit::FIVE_MINUTES};
use serde::{Deserialize, Serialize};

use crate::{Grant, bearer::Bearer, scopes::Scope, tokens};

const USER_AGENT_MAX_CHARS: usize = 200;
/// A session ends after at most 180 days, even if it is refreshed.
const LIFETIME_MAX_SECONDS: i64 = 180 * 24 * HOUR_SECONDS;
pub(super) const SORT_KEY_PREFIX: &str = "SESSION#";

/// A session's row. Tokens are computed from it and never stored.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    /// The owner of the session.
    pub user: UserId,
    /// The session's ID.
    pub session: SessionId,
    /// The number of refreshes. Only the refresh token of the current generation is valid.
    pub generation: u32,
    /// The time at which the session was opened.
    pub created_at: Time,
    /// The time at which the session was opened or last refreshed.
    pub refreshed_at: Time,
    /// The times of the last refresh and of the refreshes within the 30 seconds before it, oldest first.
    pub refreshes: Vec<Time>,
    /// The time at which the session expires unless it is refreshed.
    pub expires: Time,
    /// The device's `User-Agent`.
    pub user_agent: Option<String>,
    /// Copies of the user's status and roles. A ban, a lock or a change of roles revokes the session.
    #[serde(flatten)]
    pub standing: Standing,
    /// Whether the session was opened with a second factor.
    pub second_factor: bool,
    /// The application of an application token, or `None` for a sign-in.
    #[serde(flatten)]
    pub application: Option<Application>,
    /// The end of the window in which `writes` are counted, in Unix seconds.
    pub window_ends: i64,
    /// The number of write requests in the window.
    pub writes: i64,
    /// The time of the last write request.
    pub wrote_at: Option<Time>,
    /// The end of the window in which the user is over the write limit, in Unix seconds.
    pub limited_until: Option<i64>,
}

/// The application that an application token belongs to.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Application {
    /// The name that the user gave the application.
    pub application: ApplicationName,
    /// The scopes of the token.
    pub scopes: Vec<Scope>,
    /// The hash of the token's secret.
    pub(crate) secret_hash: String,
}

platform::text_types! {
    /// The name of an application. The user chooses it.
    #[schema(value_type = String, min_length = 1, max_length = 50, example = "Weather bot")]
    ApplicationName: display_name;
}

/// The copy of the user's status and roles that each session stores.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Standing {
    /// Whether the account is active, banned or locked.
    pub status: Status,
    /// The user's roles.
    pub roles: Vec<Role>,
}

impl From<&User> for Standing {
    fn from(user: &User) -> Self {
        Self { status: user.status, roles: user.roles.clone() }
    }
}

impl Session {
    /// Returns a new session of a user. Writes nothing.
    pub fn open(app: &App, user: &User, user_agent: Option<&str>) -> Self {
        let now = app.now();
        Self {
            user: user.id,
            standing: user.into(),
            session: app.ids.next(now),
            generation: 0,
            created_at: now,
            refreshed_at: now,
            refreshes: Vec::new(),
            expires: ends(app, now),
            second_factor: false,
            application: None,
            user_agent: user_agent.map(|agent| agent.chars().take(USER_AGENT_MAX_CHARS).collect()),
            window_ends: now.seconds() + FIVE_MINUTES,
            writes: 0,
            wrote_at: None,
            limited_until: None,
        }
    }

    /// Returns whether the token belongs to this row. An access token never belongs to the row of an application token.
    pub(super) fn is_opened_by(&self, bearer: &Bearer) -> bool {
        self.application.as_ref().map(|application| &application.secret_hash) == bearer.secret_hash.as_ref()
    }

    /// Returns the grant from which the session's tokens are computed.
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

/// Returns the end of a session that was opened at `created_at` and is refreshed now.
pub(super) fn ends(app: &App, created_at: Time) -> Time {
    let unless_refreshed = app.now().plus_seconds(tokens::refresh_seconds(app));
    unless_refreshed.min(created_at.plus_seconds(LIFETIME_MAX_SECONDS))
}

pub(super) fn key(user: UserId, session: SessionId) -> Key {
    Key::new(user.partition(), format!("{SORT_KEY_PREFIX}{session}"))
}

/// `USER#id / SESSION#sid`, deleted when the session expires
impl Row for Session {
    fn key(&self) -> Key {
        key(self.user, self.session)
    }

    fn expires(&self) -> Option<Time> {
        Some(self.expires)
    }
}
