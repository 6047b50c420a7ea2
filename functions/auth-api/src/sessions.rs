//! `/auth/sessions`: the caller's sessions, one for each device.

use axum::extract::State;
use domain::{
    accounts::sessions::{self, Session},
    ids::SessionId,
};
use platform::{App, page::Cursor, time::Time};
use runtime::{
    caller::Caller,
    http::{Envelope, List, ListEnvelope, Path, Query, Reply, Respond, RespondList},
};
use serde::Serialize;
use utoipa::ToSchema;

/// List one's sessions
///
/// The live sessions, newest first.
#[utoipa::path(get, path = "/auth/sessions", tag = "auth", extensions(("x-status" = json!("extension"))),
    security(("bearer" = [])), params(Cursor<SessionId>),
    responses((status = 200, body = ListEnvelope<Device>)))]
pub(crate) async fn list_sessions(
    State(app): State<App>,
    caller: Caller,
    Query(Cursor { take, after }): Query<Cursor<SessionId>>,
) -> RespondList<Device> {
    let page = sessions::list(&app, caller.id, take, after).await?;
    Ok(List(page.map(|it| Device::new(it, caller.session))))
}

/// End one of one's sessions
///
/// Its tokens are invalid at once. A session that does not exist or belongs to another user answers 404.
#[utoipa::path(delete, path = "/auth/sessions/{sid}", tag = "auth", extensions(("x-status" = json!("extension"))),
    security(("bearer" = [])), params(("sid" = SessionId, Path, description = "The session")),
    responses((status = 200, body = Envelope<Ended>)))]
pub(crate) async fn end_session(
    State(app): State<App>,
    caller: Caller,
    Path(session): Path<SessionId>,
) -> Respond<Ended> {
    sessions::end_live(&app, caller.id, session).await?;
    Ok(Reply::ok(Ended { ended: true }))
}

/// A session as its owner sees it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Device {
    /// The session's id.
    sid: SessionId,
    /// The time at which it was opened.
    created_at: Time,
    /// The time at which it was opened or last refreshed.
    last_used_at: Time,
    /// The time at which it ends unless it is refreshed.
    expires_at: Time,
    /// The device's `User-Agent`.
    user_agent: Option<String>,
    /// Whether this request belongs to it.
    is_current: bool,
}

impl Device {
    fn new(session: Session, current: SessionId) -> Self {
        Self {
            sid: session.session,
            created_at: session.created_at,
            last_used_at: session.refreshed_at,
            expires_at: session.expires,
            user_agent: session.user_agent,
            is_current: session.session == current,
        }
    }
}

/// The answer to an ended session.
#[derive(Serialize, ToSchema)]
pub(crate) struct Ended {
    /// Always true.
    #[schema(example = true)]
    ended: bool,
}
