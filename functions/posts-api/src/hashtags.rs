//! `/hashtags`: posts with a hashtag, following a hashtag, and trends.

use axum::extract::State;
use domain::{
    PostId, Topic,
    feeds::{Viewer, by_topic::by_topic},
    people::follows::{self, FollowRequest, TopicFollowing},
    posts::PostView,
    search::trends::{self, Trend},
};
use platform::{App, Cursor};
use runtime::{Caller, Envelope, Input, List, ListEnvelope, Path, Query, Reply, Respond, RespondList};

/// List the posts with a hashtag
///
/// Returns public posts and quotes, newest first. Posts of blocked or muted users are omitted. Case is ignored, but
/// diacritics are significant. The list is empty if no post has the hashtag.
#[utoipa::path(get, path = "/hashtags/{tag}/posts", tag = "posts", extensions(("x-status" = json!("extension"))),
    security((), ("bearer" = []), ("token" = ["read"])), params(("tag" = Topic, Path,), Cursor<PostId>),
    responses((status = 200, body = ListEnvelope<PostView>)))]
pub(crate) async fn list_posts_of_hashtag(
    State(app): State<App>,
    caller: Option<Caller>,
    Path(tag): Path<Topic>,
    Query(cursor): Query<Cursor<PostId>>,
) -> RespondList<PostView> {
    let viewer = caller.map(|caller| Viewer { user: caller.id, wrote_at: caller.wrote_at });
    Ok(List(by_topic(&app, viewer, tag, cursor).await?))
}

/// List trending hashtags
///
/// Returns the 20 hashtags with the highest score in the last 24 hours. Each public post with a hashtag adds to the
/// hashtag's score. A post's contribution halves every 6 hours. Deleted and hidden posts do not count. The response is
/// at most a minute old.
#[utoipa::path(get, path = "/hashtags/trending", tag = "posts", extensions(("x-status" = json!("extension"))),
    responses((status = 200, body = Envelope<Vec<Trend>>)))]
pub(crate) async fn list_trends(State(app): State<App>) -> Respond<Vec<Trend>> {
    Ok(Reply::ok(trends::remembered(&app).await?))
}

/// Follow a hashtag, or unfollow it
///
/// Without a body, the follow is toggled. Public posts and quotes with the hashtag appear in the caller's `FOLLOWING`
/// feed. The feed omits posts by users that the caller has unfollowed. A user can follow at most 100 hashtags.
/// Following one more returns 400.
#[utoipa::path(post, path = "/hashtags/{tag}/follow", tag = "posts", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:people"])), params(("tag" = Topic, Path,)),
    request_body(content = Option<FollowRequest>, example = json!({"isFollowing": true})),
    responses((status = 200, body = Envelope<TopicFollowing>)))]
pub(crate) async fn follow_hashtag(
    State(app): State<App>,
    caller: Caller,
    Path(tag): Path<Topic>,
    Input { body, once }: Input<Option<FollowRequest>>,
) -> Respond<TopicFollowing> {
    Ok(Reply::ok(follows::follow_topic(&app, caller.id, tag, body.unwrap_or_default(), &once).await?))
}
