//! Following, and who follows whom.

use axum::{extract::State, http::Extensions};
use domain::{
    ids::UserId,
    people::{
        follows::{self, FollowRequest, FollowRow, Following},
        users::Username,
    },
};
use platform::{App, page::Cursor};
use runtime::rate_limit_headers::enforce;
use runtime::{
    caller::Caller,
    http::{Envelope, List, ListEnvelope, OptionalBody, Path, Query, Reply, Respond, RespondList},
};

/// Follow somebody, or cease to
///
/// Without a body the other way round than it is; `isFollowing` says which, and then repeating changes
/// nothing. Oneself: 400. Where a block stands: 403. At most 30 a minute.
#[utoipa::path(post, path = "/user/{username}/follower", tag = "users", extensions(("x-status" = json!("live"))),
    security(("bearer" = [])), params(("username" = Username, Path,)),
    request_body(content = Option<FollowRequest>, example = json!({"isFollowing": true})),
    responses((status = 200, body = Envelope<Following>)))]
pub(crate) async fn toggle_follow(
    State(app): State<App>,
    caller: Caller,
    request: Extensions,
    Path(username): Path<Username>,
    OptionalBody(wish): OptionalBody<FollowRequest>,
) -> Respond<Following> {
    enforce(follows::tries(&app, caller.id).await?, &request)?;
    Ok(Reply::ok(follows::set(&app, caller.id, &username, wish).await?))
}

/// List who follows somebody
///
/// The newest follow first. `isFollowing` is the caller's; false without a token.
#[utoipa::path(get, path = "/user/{username}/followers", tag = "users", extensions(("x-status" = json!("live"))),
    security((), ("bearer" = [])), params(("username" = Username, Path,), Cursor<UserId>),
    responses((status = 200, body = ListEnvelope<FollowRow>)))]
pub(crate) async fn list_followers(
    State(app): State<App>,
    caller: Option<Caller>,
    Path(username): Path<Username>,
    Query(cursor): Query<Cursor<UserId>>,
) -> RespondList<FollowRow> {
    Ok(List(follows::followers(&app, caller.map(|it| it.id), &username, cursor).await?))
}

/// List whom somebody follows
///
/// The newest follow first. `isFollowing` is the caller's; false without a token.
#[utoipa::path(get, path = "/user/{username}/following", tag = "users", extensions(("x-status" = json!("live"))),
    security((), ("bearer" = [])), params(("username" = Username, Path,), Cursor<UserId>),
    responses((status = 200, body = ListEnvelope<FollowRow>)))]
pub(crate) async fn list_following(
    State(app): State<App>,
    caller: Option<Caller>,
    Path(username): Path<Username>,
    Query(cursor): Query<Cursor<UserId>>,
) -> RespondList<FollowRow> {
    Ok(List(follows::following(&app, caller.map(|it| it.id), &username, cursor).await?))
}
