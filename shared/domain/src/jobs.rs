//! What one neighbourhood leaves for another's worker. A message may come twice, late and in any
//! order: it carries identifiers, and the worker reads what is true when it runs.

use platform::{queues::Job, settings::QueueUrls};
use serde::{Deserialize, Serialize};

use crate::ids::{CircleId, Position, PostId, UserId};

/// A message to the timeline worker. Each may come twice, late and in any order.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum TimelineJob {
    /// A post was written: its author's followers are to find it.
    FanOut {
        /// Which.
        post: PostId,
        /// The last follower who has it; none at first.
        after: Option<Position>,
    },
    /// Somebody was followed: the follower is to find the newest of what they wrote.
    BackFill {
        /// Who follows.
        reader: UserId,
        /// Whom.
        author: UserId,
    },
    /// Somebody became popular: each follow of them is to be marked.
    #[serde(rename = "gather")]
    MarkFollows {
        /// Who.
        author: UserId,
        /// The last follower that is marked; none at first.
        after: Option<Position>,
    },
}

/// A message that the index may not say what is so.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "camelCase")]
pub enum IndexJob {
    /// A post of type POST was created, edited, hidden or deleted.
    Post {
        /// Which.
        post: PostId,
    },
    /// Somebody came, or changed how they are called.
    User {
        /// Who.
        user: UserId,
    },
}

/// A message that something is to be tidied up.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "camelCase")]
pub enum Chore {
    /// Bans whose time has come are to end.
    LiftBans,
    /// Circles that died 24 hours ago are to be purged.
    PurgeCircles,
    /// Some of them.
    PurgePage {
        /// Of which shard.
        shard: u8,
        /// The last one of the page before; none at first.
        after: Option<String>,
    },
    /// One of them.
    PurgeCircle {
        /// Which.
        circle: CircleId,
    },
}

impl Job for TimelineJob {
    fn queue<'a>(&self, urls: &'a QueueUrls) -> (&'a Option<String>, &'static str) {
        (&urls.timeline, "TIMELINE_QUEUE_URL")
    }
}

impl Job for IndexJob {
    fn queue<'a>(&self, urls: &'a QueueUrls) -> (&'a Option<String>, &'static str) {
        (&urls.search_index, "SEARCH_INDEX_QUEUE_URL")
    }
}

impl Job for Chore {
    fn queue<'a>(&self, urls: &'a QueueUrls) -> (&'a Option<String>, &'static str) {
        (&urls.housekeeping, "HOUSEKEEPING_QUEUE_URL")
    }
}
