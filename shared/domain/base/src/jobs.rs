//! Messages from one module to the worker of another module. A message may arrive twice, late or out of order. A
//! message contains only IDs. The worker reads the current state.

use platform::{App, Job, Paged, QueueName, Time};
use serde::{Deserialize, Serialize};

use crate::{
    announcements::{AnnouncedEvent, Announcement},
    ids::{AnnouncementId, CaseId, NotificationId, Position, PostId, UploadId, UserId, WebhookId},
};

pub use crate::chores::{AuthorList, AuthorPosition, Chore};

/// A message to the timeline worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum TimelineJob {
    /// Write a new post to the timelines of its author's followers.
    FanOut {
        /// The new post.
        post: PostId,
        /// The post's author.
        author: UserId,
        /// The position of the previous page's last follow.
        #[serde(flatten)]
        page: Paged<Position>,
    },
    /// Write an author's newest posts to the timeline of a new follower.
    BackFill {
        /// The follower.
        reader: UserId,
        /// The followed author.
        author: UserId,
    },
    /// Mark all follows of a popular author. Each follower's feed then merges the author's posts when the feed is read.
    MarkFollows {
        /// The popular author.
        author: UserId,
        /// The job's progress.
        #[serde(flatten)]
        page: Paged<()>,
    },
}

/// A message to the search worker: a row of the search index may be outdated.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "camelCase")]
pub enum IndexJob {
    /// A post of type POST was created, edited, hidden or deleted.
    Post {
        /// The post with the outdated rows.
        post: PostId,
    },
    /// A user registered, or changed their username or name.
    User {
        /// The user with the outdated rows.
        user: UserId,
    },
}

/// A message to the media worker. The worker's queue also receives the bucket's notifications of new files.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "camelCase")]
pub enum MediaJob {
    /// Copy an upload's changed status to the posts that use the upload.
    Show {
        /// The upload whose status changed.
        upload: UploadId,
    },
    /// Remove an upload after a post that uses it was deleted, unless the upload has other uses.
    Release {
        /// The upload that the deleted post used.
        upload: UploadId,
        /// The deleted post.
        post: PostId,
    },
    /// Hide the public files of an upload after moderators deleted its post, or show them again after a restore.
    Place {
        /// The upload that the post uses.
        upload: UploadId,
        /// The deleted or restored post.
        post: PostId,
    },
    /// Delete the private copies of an upload's files after the evidence of a case was erased.
    EraseEvidence {
        /// The case whose evidence was erased.
        case: CaseId,
        /// The key of the upload's main file in the bucket.
        key: String,
    },
    /// Remove an upload that is unused a day after its creation. If the upload is used but was not processed, process
    /// its file.
    Expire {
        /// The upload that may be unused or unprocessed.
        upload: UploadId,
    },
}

/// A message to the worker that sends requests to user-supplied URLs. The message has no URL. The worker reads the URL
/// from the table.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum OutboundJob {
    /// Push a new or updated notification to its recipient's devices.
    WebPush {
        /// The user who is notified.
        recipient: UserId,
        /// The new or updated notification.
        notification: NotificationId,
        /// The time at which the notification was written.
        at: Time,
    },
    /// Fetch the original of a copied picture.
    CopyPicture {
        /// The upload that becomes the copy.
        upload: UploadId,
    },
    /// Load the link preview of a post whose first link is new.
    Preview {
        /// The post with the link.
        post: PostId,
    },
    /// Load the link preview of a circle post or comment whose first link is new.
    PreviewInCircle {
        /// The circle post or comment.
        post: PostId,
    },
    /// Deliver an event to the webhooks that subscribe to this kind of event.
    Announce {
        /// The event.
        announcement: Announcement,
    },
    /// Send a test message to a webhook.
    TestWebhook {
        /// The webhook that gets the test message.
        webhook: WebhookId,
        /// The test message.
        announcement: Announcement,
    },
    /// Retry a failed delivery to a webhook.
    RetryDelivery {
        /// The webhook that did not get the event.
        webhook: WebhookId,
        /// The event to deliver.
        announcement: AnnouncementId,
    },
}

impl OutboundJob {
    /// Returns the message that announces an event to webhooks. Attach it to the write that causes the event.
    pub fn announce(app: &App, event: AnnouncedEvent, subject: impl ToString) -> Self {
        Self::Announce { announcement: Announcement::now(app, Some(event), subject) }
    }
}

platform::jobs!(TimelineJob: Timeline, IndexJob: SearchIndex, MediaJob: Media);

impl Job for OutboundJob {
    /// Returns the queue. Each kind of recipient has its own queue, so slow websites delay neither pushes nor webhooks.
    fn queue(&self) -> QueueName {
        match self {
            Self::CopyPicture { .. } | Self::Preview { .. } | Self::PreviewInCircle { .. } => {
                QueueName::Outbound
            }
            Self::WebPush { .. } => QueueName::WebPush,
            Self::Announce { .. } | Self::TestWebhook { .. } | Self::RetryDelivery { .. } => {
                QueueName::Webhook
            }
        }
    }
}
