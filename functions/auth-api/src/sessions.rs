//! `/auth/sessions`: the caller's sessions.

use axum::extract::State;
use domain::{
    SessionId,
    accounts::{
        Proof,
        sessions::{self, ApplicationName, Session},
    },
};
use platform::{App, Cursor, Time};
use runtime::{
    AnonymousClient, Caller, Empty, Envelope, Input, List, ListEnvelope, Path, Query, Reply, Respond,
    RespondList, SessionEnding,
};
use serde::Serialize;
use utoipa::ToSchema;

/// List the caller's sessions
///
/// Returns the active sessions, newest first. The list includes application tokens. For such a token, `application` has
/// the name of the application.
#[utoipa::path(get, path = "/auth/sessions", tag = "auth", extensions(("x-status" = json!("extension"))),
    security(("bearer" = [])), params(Cursor<SessionId>),
    responses((status = 200, body = ListEnvelope<SessionView>)))]
pub(crate) async fn list_sessions(
    State(app): State<App>,
    caller: Caller,
    Query(Cursor { take, after }): Query<Cursor<SessionId>>,
) -> RespondList<SessionView> {
    let page = sessions::list(&app, caller.id, take, after).await?;
    Ok(List(page.map(|session| SessionView::new(session, caller.session))))
}

/// End one of the caller's sessions
///
/// Immediately invalidates the tokens of the session, or the application token. Returns 404 if the session does not
/// exist or belongs to another user.
#[utoipa::path(delete, path = "/auth/sessions/{sid}", tag = "auth", extensions(("x-status" = json!("extension"))),
    security(("bearer" = [])), params(("sid" = SessionId, Path, description = "ID of the session")),
    responses((status = 200, body = Envelope<Ended>)))]
pub(crate) async fn end_session(
    State(app): State<App>,
    Path(session): Path<SessionId>,
    SessionEnding { id, input }: SessionEnding<Empty>,
) -> Respond<Ended> {
    sessions::revoke_live(&app, id, session, &input.once).await?;
    Ok(Reply::ok(Ended { ended: true }))
}

/// End all other sessions
///
/// Ends all sessions of the caller except the one that sends the request, and revokes all application tokens. Requires
/// the password or a code. A wrong password or code returns 400 and counts as a failed attempt. The user gets an email.
#[utoipa::path(post, path = "/auth/sessions/end-others", tag = "auth", extensions(("x-status" = json!("extension"))),
    security(("bearer" = [])),
    request_body(content = Proof, example = json!({ "password": "correct horse battery" })),
    responses((status = 200, body = Envelope<Ended>)))]
pub(crate) async fn end_other_sessions(
    State(app): State<App>,
    caller: Caller,
    AnonymousClient(device): AnonymousClient,
    Input { body: proof, once }: Input<Proof>,
) -> Respond<Ended> {
    let kept = caller.session;
    sessions::end_others(&app, caller.into(), kept, proof, &device, &once).await?;
    Ok(Reply::ok(Ended { ended: true }))
}

/// One of the caller's sessions.
#[derive(Serialize, ToSchema)]
#[schema(as = Session)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SessionView {
    /// Session ID.
    sid: SessionId,
    /// Time of the sign-in.
    created_at: Time,
    /// Time of the last refresh. Before the first refresh, the time of the sign-in.
    last_used_at: Time,
    /// Time at which the session ends unless it is refreshed.
    expires_at: Time,
    /// `User-Agent` of the device.
    user_agent: Option<String>,
    /// Name of the application, if the session is an application token.
    application: Option<ApplicationName>,
    /// Whether this request belongs to the session.
    is_current: bool,
}

impl SessionView {
    fn new(session: Session, current: SessionId) -> Self {
        Self {
            sid: session.session,
            created_at: session.created_at,
            last_used_at: session.refreshed_at,
            expires_at: session.expires,
            user_agent: session.user_agent,
            application: session.application.map(|application| application.application),
            is_current: session.session == current,
        }
    }
}

/// The result of ending one or more sessions.
#[derive(Serialize, ToSchema)]
#[schema(as = SessionRevocation)]
pub(crate) struct Ended {
    /// Always true.
    #[schema(example = true)]
    ended: bool,
}
