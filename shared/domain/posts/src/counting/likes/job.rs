//! The message that asks the worker to apply a like or a vote.

use base::{PostId, UserId};
use platform::{Job, QueueName, Time};
use serde::{Deserialize, Serialize};

/// A message about a changed like or vote, which the worker applies to the counts.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum LikeJob {
    /// A user liked the post.
    Added {
        /// The user who liked the post.
        user: UserId,
        /// The liked post.
        post: PostId,
        /// The time of the like, which determines the day in the action log.
        at: Time,
    },
    /// A user removed their like of the post.
    Removed {
        /// The user who removed their like.
        user: UserId,
        /// The post that the user had liked.
        post: PostId,
    },
    /// A user voted in the poll of the post, or account deletion removed the vote.
    Voted {
        /// The user who voted.
        user: UserId,
        /// The post of the poll.
        post: PostId,
    },
}

impl LikeJob {
    /// Returns the user and post of a like job, or `None` for other jobs.
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
