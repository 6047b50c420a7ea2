//! The row of a session.

use base::ids::{SessionId, UserId};
use people::users::{Role, Status, User, display_name};
use platform::{
    App,
    rate_limit::FIVE_MINUTES,
    table::{Key, Row},
    time::{HOUR_SECONDS, Time},
};
use serde::{Deserialize, Serialize};

use crate::{
    bearer::Bearer,
    scopes::Scope,
    tokens::{self, Grant},
};

const USER_AGENT_MAX_CHARS: usize = 200;
/// 180 days, after which a session ends whatever is refreshed.
const LIFE_SECONDS: i64 = 180 * 24 * HOUR_SECONDS;
pub(super) const SORT_KEY_PREFIX: &str = "SESSION#";

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
    /// When its refresh tokens were used, the last one last; those of the last 30 seconds.
    pub refreshes: Vec<Time>,
    /// The time at which it ends unless it is refreshed.
    pub expires: Time,
    /// The device's `User-Agent`.
    pub user_agent: Option<String>,
    /// The user's status and roles: what ends them ends the session.
    #[serde(flatten)]
    pub standing: Standing,
    /// Whether it was opened with a second factor.
    pub second_factor: bool,
    /// What makes it an application token; none for a sign-in.
    #[serde(flatten)]
    pub application: Option<Application>,
    /// The end of the window in which `writes` are counted, in Unix seconds.
    pub window_ends: i64,
    /// The number of write requests in the window.
    pub writes: i64,
    /// The time of the last write request.
    pub wrote_at: Option<Time>,
    /// The end of the window in which the user may write no more, in Unix seconds.
    pub limited_until: Option<i64>,
}

/// The application of a token.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Application {
    /// What the user calls it.
    pub application: ApplicationName,
    /// What the token opens.
    pub scopes: Vec<Scope>,
    /// The hash of the token's secret.
    pub(crate) secret_hash: String,
}

platform::text_types! {
    /// What a user calls an application.
    #[schema(value_type = String, min_length = 1, max_length = 50, example = "Weather bot")]
    ApplicationName: display_name;
}

/// What a user may do, as their sessions know it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Standing {
    /// Whether the user may use the account.
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
    /// Returns a session of this user that opens now.
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
            user_agent: user_agent.map(|it| it.chars().take(USER_AGENT_MAX_CHARS).collect()),
            window_ends: now.seconds() + FIVE_MINUTES,
            writes: 0,
            wrote_at: None,
            limited_until: None,
        }
    }

    /// Whether this opens it: an access token a sign-in's session, an application token its own row.
    pub(super) fn is_opened_by(&self, bearer: &Bearer) -> bool {
        self.application.as_ref().map(|it| &it.secret_hash) == bearer.secret_hash.as_ref()
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

/// Returns the end of a session that was opened then and is refreshed now.
pub(super) fn ends(app: &App, created_at: Time) -> Time {
    let unless_refreshed = app.now().plus_seconds(tokens::refresh_seconds(app));
    unless_refreshed.min(created_at.plus_seconds(LIFE_SECONDS))
}

pub(super) fn key(user: UserId, session: SessionId) -> Key {
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
