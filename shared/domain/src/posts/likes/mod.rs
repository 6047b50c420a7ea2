//! Likes: one a person and post, counted on the post by a worker, in batches, exactly.
//!
//! An engagement says what is wanted (`liked`) and what the post's count includes (`counted`).
//! The request sets the first and sends a message; the worker *settles*: wherever the two differ,
//! one transaction makes them equal and adds the difference to the post. Messages may come twice,
//! late, or swapped: each only says where to look.
//!
//! A post's `likesSeq` counts its settlings, and each engagement remembers the one that changed it.
//! So a reader who holds any copy of a post, from an index that lags or from a cache, knows whether
//! its count includes their own like, and always sees it counted exactly once.

mod settle;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use settle::settle;

use platform::{
    App,
    error::{Error, Result},
    queues::Job,
    settings::QueueUrls,
    table::{Attempt, Key, Row},
    time::Time,
};

use crate::{
    ids::{PostId, UserId},
    posts::{
        self, Post,
        engagements::{self, Engagement},
    },
};

/// What a person asks for.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LikeRequest {
    /// True to like, false to take the like back; repeating changes nothing.
    #[schema(example = true)]
    pub is_liked: bool,
}

/// How a post stands with a viewer.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Liked {
    /// Whether the viewer likes it.
    pub is_liked: bool,
    /// Everybody's likes; the viewer's own is counted at once.
    pub likes_count: i64,
}

/// What a like asks of a post, and all that is read of it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Count {
    id: PostId,
    likes_count: i64,
    likes_seq: i64,
    is_deleted: bool,
}

/// A message that a person's like of a post may have to be settled.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum LikeJob {
    /// The post was liked, by whom and when.
    Added {
        /// Who.
        user: UserId,
        /// What.
        post: PostId,
        /// When; the day of the action log.
        at: Time,
    },
    /// The like was taken back.
    Removed {
        /// Who.
        user: UserId,
        /// What.
        post: PostId,
    },
}

/// Likes a post, or takes the like back. 3 calls and a message; 0.5 RRU, 2 WRU with the session's.
///
/// # Errors
/// [`Error::NotFound`] when the post does not exist; internal when the message could not be sent:
/// then repeating the request sends it.
pub async fn set(app: &App, user: UserId, post: PostId, wish: LikeRequest) -> Result<Liked> {
    let count = app.table.get_eventual::<Count>(&posts::key(post)).await?;
    let count = count.filter(|it| !it.is_deleted).ok_or(posts::GONE)?;
    let engagement = match wish.is_liked {
        true => Some(add(app, user, post).await?),
        false => remove(app, user, post).await?,
    };
    Ok(seen_by(count, engagement.as_ref()))
}

async fn add(app: &App, user: UserId, post: PostId) -> Result<Engagement> {
    let now = app.now();
    let like = engagements::update(user, post).set("liked", true).set("likedAt", now);
    let engagement: Engagement = match app.table.attempt(like.equals_or_lacks("liked", false)).await? {
        Attempt::Done(engagement) | Attempt::Refused(Some(engagement)) => engagement,
        Attempt::Refused(None) => return Err(Error::internal(anyhow::anyhow!("a like was refused"))),
    };
    let at = engagement.liked_at.unwrap_or(now);
    app.queues.send(&LikeJob::Added { user, post, at }).await?;
    Ok(engagement)
}

async fn remove(app: &App, user: UserId, post: PostId) -> Result<Option<Engagement>> {
    let unlike = engagements::update(user, post).set("liked", false).equals("liked", true);
    let engagement: Engagement = match app.table.attempt(unlike).await? {
        Attempt::Done(engagement) | Attempt::Refused(Some(engagement)) => engagement,
        Attempt::Refused(None) => return Ok(None),
    };
    app.queues.send(&LikeJob::Removed { user, post }).await?;
    Ok(Some(engagement))
}

/// How a copy of a post stands with the viewer whose engagement this is.
pub fn seen_by(count: impl Into<Count>, engagement: Option<&Engagement>) -> Liked {
    let count = count.into();
    let is_liked = engagement.is_some_and(|it| it.liked);
    let included = engagement.is_some_and(|it| it.counted == (it.seq <= count.likes_seq));
    let likes_count = count.likes_count + i64::from(is_liked) - i64::from(included);
    Liked { is_liked, likes_count }
}

impl From<&Post> for Count {
    fn from(post: &Post) -> Self {
        let &Post { id, likes_count, likes_seq, is_deleted, .. } = post;
        Self { id, likes_count, likes_seq, is_deleted }
    }
}

/// A part of the post's row
impl Row for Count {
    const PART: Option<&'static str> = Some("id, likesCount, likesSeq, isDeleted");

    fn key(&self) -> Key {
        posts::key(self.id)
    }
}

impl LikeJob {
    fn engagement(&self) -> (UserId, PostId) {
        match self {
            Self::Added { user, post, .. } | Self::Removed { user, post } => (*user, *post),
        }
    }
}

impl Job for LikeJob {
    fn queue<'a>(&self, urls: &'a QueueUrls) -> (&'a Option<String>, &'static str) {
        match self {
            Self::Added { .. } => (&urls.liked_add, "LIKED_ADD_QUEUE_URL"),
            Self::Removed { .. } => (&urls.liked_remove, "LIKED_REMOVE_QUEUE_URL"),
        }
    }
}
