//! The message that asks the worker to settle a like or a vote, or to add up tallies.

use base::ids::{PostId, UserId};
use platform::{
    queues::{Job, QueueName},
    time::Time,
};
use serde::{Deserialize, Serialize};

/// A message that a user's like of a post, or vote in its poll, may have to be settled, or that a post's tallies may have to
/// be added up.
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
    /// Somebody replied to the post, quoted it or reposted it while very many liked it. Its tallies are to be added up.
    AddUp {
        /// The post.
        post: PostId,
        /// The number of the settlement that adds them up.
        seq: i64,
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
            Self::AddUp { .. } | Self::Voted { .. } => None,
        }
    }
}

impl Job for LikeJob {
    fn queue(&self) -> QueueName {
        match self {
            Self::Added { .. } | Self::AddUp { .. } | Self::Voted { .. } => QueueName::LikedAdd,
            Self::Removed { .. } => QueueName::LikedRemove,
        }
    }
}
