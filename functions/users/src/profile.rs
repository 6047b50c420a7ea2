//! People as others meet them.

use axum::extract::State;
use shared::feeds_by_author;
use shared::{
    App, Result,
    caller::Caller,
    http::{Envelope, ListEnvelope, Path, Query, Reply, Respond},
    ids::PostId,
    page::{Cursor, Page},
    posts::PostView,
    profiles::{self, Profile},
    users::Username,
};

/// Read somebody's profile
///
/// With a token, how the caller stands with them.
#[utoipa::path(get, path = "/user/{username}", tag = "users", extensions(("x-status" = json!("extension"))),
    security((), ("bearer" = [])), params(("username" = Username, Path,)),
    responses((status = 200, body = Envelope<Profile>)))]
pub(crate) async fn read(
    State(app): State<App>,
    caller: Option<Caller>,
    Path(username): Path<Username>,
) -> Respond<Profile> {
    profiles::profile(&app, caller.map(|it| it.id), &username).await.map(Reply::ok)
}

/// List what somebody wrote, quoted and reposted
///
/// Newest first; empty where a block stands between them and the caller.
#[utoipa::path(get, path = "/user/{username}/posts", tag = "users", extensions(("x-status" = json!("extension"))),
    security((), ("bearer" = [])), params(("username" = Username, Path,), Cursor<PostId>),
    responses((status = 200, body = ListEnvelope<PostView>)))]
pub(crate) async fn posts(
    State(app): State<App>,
    caller: Option<Caller>,
    Path(username): Path<Username>,
    Query(cursor): Query<Cursor<PostId>>,
) -> Result<Page<PostView>> {
    feeds_by_author::by_author(&app, caller.map(|it| it.id), &username, cursor).await
}
