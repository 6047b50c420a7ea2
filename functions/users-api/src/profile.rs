//! `/user/{username}`: a user's profile and posts.

use axum::extract::State;
use domain::{
    feeds::by_author,
    ids::PostId,
    people::{
        profiles::{self, Profile},
        users::Username,
    },
    posts::PostView,
};
use platform::{App, page::Cursor};
use runtime::{
    caller::Caller,
    http::{Envelope, List, ListEnvelope, Path, Query, Reply, Respond, RespondList},
};

/// Read a user's profile
///
/// With a token, `viewer` has the follows, the block and the mute between the caller and the user. Without a token, all
/// fields of `viewer` are false.
#[utoipa::path(get, path = "/user/{username}", tag = "users", extensions(("x-status" = json!("extension"))),
    security((), ("bearer" = []), ("token" = ["read"])), params(("username" = Username, Path,)),
    responses((status = 200, body = Envelope<Profile>)))]
pub(crate) async fn get_profile(
    State(app): State<App>,
    caller: Option<Caller>,
    Path(username): Path<Username>,
) -> Respond<Profile> {
    Ok(Reply::ok(profiles::profile(&app, caller.map(|it| it.id), &username).await?))
}

/// List a user's posts, quotes and reposts
///
/// Returns the posts that the caller may read, newest first. The list is empty if a block exists between the user and
/// the caller.
#[utoipa::path(get, path = "/user/{username}/posts", tag = "users", extensions(("x-status" = json!("extension"))),
    security((), ("bearer" = []), ("token" = ["read"])), params(("username" = Username, Path,), Cursor<PostId>),
    responses((status = 200, body = ListEnvelope<PostView>)))]
pub(crate) async fn list_user_posts(
    State(app): State<App>,
    caller: Option<Caller>,
    Path(username): Path<Username>,
    Query(cursor): Query<Cursor<PostId>>,
) -> RespondList<PostView> {
    Ok(List(by_author::by_author(&app, caller.map(|it| it.id), &username, cursor).await?))
}
