//! The message that asks the worker to apply a like or a vote.

use base::ids::{PostId, UserId};
use platform::{
    queues::{Job, QueueName},
    time::Time,
};
use serde::{Deserialize, Serialize};

/// A message that a user's like of a post, or vote in its poll, may have to be applied.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum LikeJob {
    /// A user liked the post.
    Added {
        /// The user.
        user: UserId,
        /// The post.
        post: PostId,
        /// The time of the like: the action log counts it for that day.
        at: Time,
    },
    /// A user took the like back.
    Removed {
        /// The user.
        user: UserId,
        /// The post.
        post: PostId,
    },
    /// A user voted in the poll of the post, or leaves and takes the vote back.
    Voted {
        /// The user.
        user: UserId,
        /// The post.
        post: PostId,
    },
}

impl LikeJob {
    /// Returns whose like of which post it names; none for what is no like.
    pub(super) fn engagement(&self) -> Option<(UserId, PostId)> {
        match self {
            Self::Added { user, post, .. } | Self::Removed { user, post } => Some((*user, *post)),
            Self::Voted { .. } => None,
        }
    }
}

impl Job for LikeJob {
    fn queue(&self) -> QueueName {
        match self {
            Self::Added { .. } | Self::Voted { .. } => QueueName::LikedAdd,
            Self::Removed { .. } => QueueName::LikedRemove,
        }
    }
}
