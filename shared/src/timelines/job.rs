//! What the timeline worker may be asked to do.

use serde::{Deserialize, Serialize};

use super::{back_fill::back_fill, fan_out::fan_out, gather::gather};
use crate::{
    App,
    error::Result,
    id::{Position, PostId, UserId},
    queues::Job,
    settings::QueueUrls,
};

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
    Gather {
        /// Who.
        author: UserId,
        /// The last follower that is marked; none at first.
        after: Option<Position>,
    },
}

/// Does one job.
///
/// # Errors
/// Internal: the message comes again.
pub async fn work(app: &App, job: TimelineJob) -> Result<()> {
    match job {
        TimelineJob::FanOut { post, after } => fan_out(app, post, after).await,
        TimelineJob::BackFill { reader, author } => back_fill(app, reader, author).await,
        TimelineJob::Gather { author, after } => gather(app, author, after).await,
    }
}

impl Job for TimelineJob {
    fn queue<'a>(&self, urls: &'a QueueUrls) -> (&'a Option<String>, &'static str) {
        (&urls.timeline, "TIMELINE_QUEUE_URL")
    }
}
