//! `/hashtags`: what is written with a hashtag, following one, and what is trending.

use axum::extract::State;
use domain::{
    feeds::{Viewer, by_topic::by_topic},
    ids::PostId,
    people::follows::{self, FollowRequest, TopicFollowing},
    posts::PostView,
    search::trends::{self, Trend},
    topic::Topic,
};
use platform::{App, page::Cursor};
use runtime::{
    caller::Caller,
    http::{Envelope, List, ListEnvelope, OptionalBody, Path, Query, Reply, Respond, RespondList},
};

/// List the posts with a hashtag
///
/// Public posts and quotes, newest first, but what the caller blocks or mutes. A hashtag is one whatever its case; with other
/// diacritics it is another one. One that nobody used has no posts.
#[utoipa::path(get, path = "/hashtags/{tag}/posts", tag = "posts", extensions(("x-status" = json!("extension"))),
    security((), ("bearer" = []), ("token" = ["read"])), params(("tag" = Topic, Path,), Cursor<PostId>),
    responses((status = 200, body = ListEnvelope<PostView>)))]
pub(crate) async fn list_posts_of_hashtag(
    State(app): State<App>,
    caller: Option<Caller>,
    Path(tag): Path<Topic>,
    Query(cursor): Query<Cursor<PostId>>,
) -> RespondList<PostView> {
    let viewer = caller.map(|it| Viewer { user: it.id, wrote_at: it.wrote_at });
    Ok(List(by_topic(&app, viewer, tag, cursor).await?))
}

/// Read what is trending
///
/// The 20 hashtags with the highest score in the last 24 hours: public posts that have them, each worth half after 6 hours.
/// What was deleted or hidden does not count. A minute old at most.
#[utoipa::path(get, path = "/hashtags/trending", tag = "posts", extensions(("x-status" = json!("extension"))),
    responses((status = 200, body = Envelope<Vec<Trend>>)))]
pub(crate) async fn list_trends(State(app): State<App>) -> Respond<Vec<Trend>> {
    Ok(Reply::ok(trends::remembered(&app).await?))
}

/// Follow a hashtag, or cease to
///
/// Without a body it toggles. The public posts and quotes with it come into the caller's `FOLLOWING`, but those of people
/// whom the caller ceased to follow. With 100 hashtags, one more answers 400.
#[utoipa::path(post, path = "/hashtags/{tag}/follow", tag = "posts", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:people"])), params(("tag" = Topic, Path,)),
    request_body(content = Option<FollowRequest>, example = json!({"isFollowing": true})),
    responses((status = 200, body = Envelope<TopicFollowing>)))]
pub(crate) async fn follow_hashtag(
    State(app): State<App>,
    caller: Caller,
    Path(tag): Path<Topic>,
    OptionalBody(request): OptionalBody<FollowRequest>,
) -> Respond<TopicFollowing> {
    Ok(Reply::ok(follows::follow_topic(&app, caller.id, tag, request).await?))
}
