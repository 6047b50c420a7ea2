//! Likes. A worker adds likes to the like counts of posts in batches, and counts each like exactly once.
//!
//! An engagement is the row of one user and one post. It stores whether the user likes the post (`liked`) and whether
//! the post's count includes that like (`counted`). A request sets `liked` and sends a message. The worker then
//! *applies* the like. If `liked` and `counted` differ, one transaction makes them equal and adds the difference to the
//! count. A message may arrive twice, late or out of order, because the message only identifies the engagement.
//!
//! An engagement keeps its outbox until its like is applied. If the message was lost, `operations::republish` sends it
//! again.
//!
//! DynamoDB can run about 40 transactions per second on one row. So one transaction applies up to 97 likes of a post.
//! All invocations of the worker together apply at most 25 batches per second to a post, on average. The other 15
//! transactions per second are left for replies, quotes and reposts, and for retries after conflicts.
//!
//! A batch also stores the likers. The batch adds the likers to the *open segment* on the post itself, or writes a row
//! of up to 97 likers. See [`likers()`].
//!
//! `likesSeq` of a post counts the batches. Each engagement stores the number of the last batch that changed the
//! engagement. A viewer may see an old copy of a post, from an index or a cache. A comparison of the two numbers shows
//! whether the count in that copy includes the viewer's own like.

mod apply;
mod apply_writes;
mod batch;
mod hot;
mod job;
mod likers;
mod list_update;
mod open_segment;
mod remove_liker;
mod row;

use base::{PostId, UserId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use apply::apply;
pub use job::LikeJob;
pub use likers::likers;
pub use open_segment::OpenSegment;
pub use remove_liker::remove_liker;
pub use row::{Likers, liked_by};

use people::relationships;
use platform::{App, Key, Once, Result, Row, Write, table::Attempt};

use crate::{Engagement, GONE, Post, Visibility, check_readable, engagements, key, reading::visible::Meant};

/// A request to like or unlike a post.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LikeRequest {
    /// True to like, false to unlike. Repeating a request has no effect.
    #[schema(example = true)]
    pub is_liked: bool,
}

/// The likes of a post as a viewer sees them.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = LikeState)]
#[serde(rename_all = "camelCase")]
pub struct Liked {
    /// Whether the viewer likes the post.
    pub is_liked: bool,
    /// The number of likes. Includes the viewer's own like immediately.
    pub likes_count: i64,
}

/// The part of a post's row that a like request reads.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LikesCount {
    id: PostId,
    author: UserId,
    visibility: Visibility,
    likes_count: i64,
    likes_seq: i64,
    is_deleted: bool,
}

/// Likes or unlikes a post.
///
/// # Errors
/// Fails with [`platform::Error::NotFound`] if the post does not exist or the user may not read it. Fails with
/// [`platform::Error::Forbidden`] if a block exists between the user and the author. A block does not prevent an
/// unlike.
pub async fn set(app: &App, user: UserId, post: PostId, request: LikeRequest, once: &Once) -> Result<Liked> {
    once.run(app, user, async || {
        let count = hot::likes_count(app, post).await?;
        let count = count.filter(|count| !count.is_deleted).ok_or(GONE)?;
        check_readable(app, user, &count).await?;
        if request.is_liked && count.author != user {
            relationships::check_unblocked(app, user, count.author).await?;
        }
        let write = match request.is_liked {
            true => add_write(app, user, post),
            false => remove_write(app, user, post),
        };
        match once.is_keyed() {
            true => keyed_writes(app, user, count, (request.is_liked, write)).await,
            false => Ok((Vec::new(), seen_now(app, count, attempt(app, write).await?).await?)),
        }
    })
    .await
}

/// Returns the writes of a request with an idempotency key, and the resulting likes. The same transaction stores the
/// response, so the engagement must be read first.
async fn keyed_writes(
    app: &App,
    user: UserId,
    count: LikesCount,
    (is_liked, write): (bool, Write),
) -> Result<(Vec<Write>, Liked)> {
    let before = seen_now(app, count, engagements::find(app, user, count.id).await?).await?;
    if before.is_liked == is_liked {
        return Ok((Vec::new(), before));
    }
    let change = if is_liked { 1 } else { -1 };
    Ok((vec![write], Liked { is_liked, likes_count: before.likes_count + change }))
}

/// Runs the write of a like or unlike. Returns the engagement after the write, or `None` if there is none.
async fn attempt(app: &App, write: Write) -> Result<Option<Engagement>> {
    match app.table.attempt(write).await? {
        Attempt::Done(engagement) => Ok(Some(engagement)),
        Attempt::Refused(engagement) => Ok(engagement),
    }
}

fn add_write(app: &App, user: UserId, post: PostId) -> Write {
    let now = app.now();
    let write = engagements::uncounted_write(user, post, now).set("liked", true).set("likedAt", now);
    write.then(&LikeJob::Added { user, post, at: now }).equals_or_lacks("liked", false)
}

/// Removes a like, even if the post was deleted. Repeating has no effect.
pub async fn unlike(app: &App, user: UserId, post: PostId) -> Result<()> {
    attempt(app, remove_write(app, user, post)).await.map(drop)
}

fn remove_write(app: &App, user: UserId, post: PostId) -> Write {
    let write = engagements::uncounted_write(user, post, app.now()).set("liked", false).equals("liked", true);
    write.then(&LikeJob::Removed { user, post })
}

/// Works like [`seen_by`], but reads the post and the engagement again if several batches changed the post after `count`
/// was read. In this case, the engagement may have changed more than once since then.
async fn seen_now(app: &App, count: LikesCount, engagement: Option<Engagement>) -> Result<Liked> {
    match engagement {
        Some(engagement) if engagement.seq > count.likes_seq + 1 => {
            let count = app.table.get::<LikesCount>(&count.key()).await?.unwrap_or(count);
            let engagement = engagements::find(app, engagement.user, count.id).await?;
            Ok(seen_by(count, engagement.as_ref()))
        }
        engagement => Ok(seen_by(count, engagement.as_ref())),
    }
}

/// Returns the likes of a post for the viewer who has this engagement. Corrects `count` if it comes from an old copy of
/// the post, from before the last change of the engagement.
pub fn seen_by(count: impl Into<LikesCount>, engagement: Option<&Engagement>) -> Liked {
    let count = count.into();
    let is_liked = engagement.is_some_and(|engagement| engagement.liked);
    let included =
        engagement.is_some_and(|engagement| engagement.counted == (engagement.seq <= count.likes_seq));
    let likes_count = count.likes_count + i64::from(is_liked) - i64::from(included);
    Liked { is_liked, likes_count }
}

impl From<&Post> for LikesCount {
    fn from(post: &Post) -> Self {
        let &Post { id, author, visibility, likes_count, likes_seq, is_deleted, .. } = post;
        Self { id, author, visibility, likes_count, likes_seq, is_deleted }
    }
}

impl Meant for LikesCount {
    fn audience(&self) -> (UserId, Visibility) {
        (self.author, self.visibility)
    }
}

/// `POST#id / POST`, a part of the post's row
impl Row for LikesCount {
    const PART: Option<&'static str> = Some("id, author, visibility, likesCount, likesSeq, isDeleted");

    fn key(&self) -> Key {
        key(self.id)
    }
}
