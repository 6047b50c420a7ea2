//! Likes: one a user and post, counted on the post by a worker, in batches, exactly.
//!
//! An engagement stores whether the user likes the post (`liked`) and whether the post's count includes
//! that (`counted`). A request sets `liked`, and a message follows from that; the worker *settles*: where the two differ,
//! one transaction makes them equal and adds the difference to the count. A message may come twice, late or
//! out of order: it only names the engagement to look at.
//!
//! Until it is settled an engagement keeps its outbox: if its message was lost, `operations::republish` has it sent again.
//!
//! Where very many like one post, its count is first kept apart from it, in parts: see [`super::tallies`]. The outbox is gone when a
//! like comes to a tally; its message, which is not done before the sum, sees to the rest.
//!
//! A settlement also writes down whose likes it counts, on the post itself while they are few, then in rows: who likes a
//! post is read from that. See [`likers()`].
//!
//! A post's `likesSeq` counts its settlements, and each engagement stores the number of the last one that
//! changed it. A reader with any copy of a post, from an index that lags or from a cache, compares the two
//! numbers, knows whether the copy's count includes the reader's own like, and counts it exactly once.

mod attempt;
mod batch;
mod hot;
mod job;
mod likers;
mod listing;
mod open_page;
mod row;
mod settle;
mod settle_writes;
mod vacate;

use base::ids::{PostId, UserId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use job::LikeJob;
pub use likers::likers;
pub use open_page::OpenPage;
pub use row::relist_writes;
pub use settle::settle;
pub use vacate::vacate_place;

use platform::{
    App,
    error::{Error, Result},
    table::{Attempt, Key, Row},
};

use super::{
    GONE, Post, Visibility,
    engagements::{self, Engagement},
    key,
    visible::{Meant, check_readable},
};

/// A request to like a post, or to take the like back.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LikeRequest {
    /// True to like, false to take the like back; repeating changes nothing.
    #[schema(example = true)]
    pub is_liked: bool,
}

/// The likes of a post as one viewer sees them.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Liked {
    /// Whether the viewer likes it.
    pub is_liked: bool,
    /// The number of all likes; the viewer's own is counted at once.
    pub likes_count: i64,
}

/// The part of a post's row that a like reads.
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

/// Likes a post, or takes the like back. Costs 2 calls, 0.5 RRU and 1 WRU; 1 call and no RRU where this instance has seen the
/// post liked more than three times within a second.
///
/// # Errors
/// [`Error::NotFound`] when there is no such post or the user may not read it.
pub async fn set(app: &App, user: UserId, post: PostId, request: LikeRequest) -> Result<Liked> {
    let count = hot::likes_count(app, post).await?;
    let count = count.filter(|it| !it.is_deleted).ok_or(GONE)?;
    check_readable(app, user, &count).await?;
    let engagement = match request.is_liked {
        true => Some(add(app, user, post).await?),
        false => remove(app, user, post).await?,
    };
    Ok(seen_by(count, engagement.as_ref()))
}

async fn add(app: &App, user: UserId, post: PostId) -> Result<Engagement> {
    let now = app.now();
    let write = engagements::unsettled_write(user, post, now).set("liked", true).set("likedAt", now);
    let write = write.then(&LikeJob::Added { user, post, at: now });
    match app.table.attempt(write.equals_or_lacks("liked", false)).await? {
        Attempt::Done(engagement) | Attempt::Refused(Some(engagement)) => Ok(engagement),
        Attempt::Refused(None) => Err(Error::internal(anyhow::anyhow!("a like was refused"))),
    }
}

/// Takes a like back, whatever became of the post; a repetition changes nothing. Costs 1 call and 1 WRU.
pub async fn withdraw(app: &App, user: UserId, post: PostId) -> Result<()> {
    remove(app, user, post).await.map(drop)
}

async fn remove(app: &App, user: UserId, post: PostId) -> Result<Option<Engagement>> {
    let write = engagements::unsettled_write(user, post, app.now()).set("liked", false).equals("liked", true);
    match app.table.attempt(write.then(&LikeJob::Removed { user, post })).await? {
        Attempt::Done(engagement) => Ok(Some(engagement)),
        Attempt::Refused(engagement) => Ok(engagement),
    }
}

/// Returns the likes in a copy of a post as the viewer with this engagement sees them.
pub fn seen_by(count: impl Into<LikesCount>, engagement: Option<&Engagement>) -> Liked {
    let count = count.into();
    let is_liked = engagement.is_some_and(|it| it.liked);
    let included = engagement.is_some_and(|it| it.counted == (it.seq <= count.likes_seq));
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
    fn author(&self) -> UserId {
        self.author
    }

    fn visibility(&self) -> Visibility {
        self.visibility
    }
}

/// `POST#id / POST`, a part of the post's row
impl Row for LikesCount {
    const PART: Option<&'static str> = Some("id, author, visibility, likesCount, likesSeq, isDeleted");

    fn key(&self) -> Key {
        key(self.id)
    }
}
