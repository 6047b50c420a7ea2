//! `/user/{username}`: a user's profile and posts.

use axum::extract::State;
use domain::{
    PostId,
    feeds::by_author,
    people::{
        UserRef,
        profiles::{self, Profile},
    },
    posts::PostView,
};
use platform::{App, Cursor};
use runtime::{Caller, Envelope, List, ListEnvelope, Path, Query, Reply, Respond, RespondList};

/// Read a user's profile
///
/// With a token, `friendStatus`, `isFollowing`, `isFollowedBy`, `isBlocked` and `isMuted` describe the relation between
/// the caller and the user. Without a token, they are `NONE` and false. The path takes a username, a public ID or an
/// internal ID. For 30 days after a change, the earlier username also finds the profile.
#[utoipa::path(get, path = "/user/{username}", tag = "users", extensions(("x-status" = json!("extension"))),
    security((), ("bearer" = []), ("token" = ["read"])), params(("username" = UserRef, Path,)),
    responses((status = 200, body = Envelope<Profile>)))]
pub(crate) async fn get_profile(
    State(app): State<App>,
    caller: Option<Caller>,
    Path(username): Path<UserRef>,
) -> Respond<Profile> {
    Ok(Reply::ok(profiles::profile(&app, caller.map(|caller| caller.id), &username).await?))
}

/// List a user's posts, quotes and reposts
///
/// Returns the posts that the caller may read, newest first, with the user's current username. The list is empty if a
/// block exists between the user and the caller. The caller's own list contains hidden posts, with `isGhost` or `isHidden`.
#[utoipa::path(get, path = "/user/{username}/posts", tag = "users", extensions(("x-status" = json!("extension"))),
    security((), ("bearer" = []), ("token" = ["read"])), params(("username" = UserRef, Path,), Cursor<PostId>),
    responses((status = 200, body = ListEnvelope<PostView>)))]
pub(crate) async fn list_user_posts(
    State(app): State<App>,
    caller: Option<Caller>,
    Path(username): Path<UserRef>,
    Query(cursor): Query<Cursor<PostId>>,
) -> RespondList<PostView> {
    Ok(List(by_author::by_author(&app, caller.map(|caller| caller.id), &username, cursor).await?))
}
