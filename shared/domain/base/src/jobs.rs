//! Messages from one module to the worker of another module. A message may arrive twice, late or out of order. A
//! message contains only IDs. The worker reads the current state.

use platform::{
    App,
    paged::Paged,
    queues::{Job, QueueName},
    time::Time,
};
use serde::{Deserialize, Serialize};

use crate::{
    announcements::{AnnouncedEvent, Announcement},
    due::DuePage,
    ids::{
        AnnouncementId, CaseId, CircleId, EventId, GroupId, NotificationId, Position, PostId, ReportId,
        UploadId, UserId, WebhookId,
    },
};

/// A message to the timeline worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum TimelineJob {
    /// Write a new post to the timelines of its author's followers.
    FanOut {
        /// The post.
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
        /// The author.
        author: UserId,
        /// The job's progress.
        #[serde(flatten)]
        page: Paged<()>,
    },
}

/// Reports that a row in the search index may be outdated.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "camelCase")]
pub enum IndexJob {
    /// A post of type POST was created, edited, hidden or deleted.
    Post {
        /// The post.
        post: PostId,
    },
    /// A user registered, or changed their username or name.
    User {
        /// The user.
        user: UserId,
    },
}

/// A message to the housekeeping worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "camelCase")]
pub enum Chore {
    /// End expired bans.
    LiftBans(Paged<()>),
    /// Start the scheduled work that is due now. Sent every minute.
    Minute,
    /// Publish a page of due drafts.
    PublishDrafts(DuePage),
    /// End a page of expired polls.
    EndPolls(DuePage),
    /// Notify the voters and the author of an ended poll.
    NotifyPollEnded {
        /// The post.
        post: PostId,
        /// The sort key of the previous page's last row.
        #[serde(flatten)]
        page: Paged<String>,
    },
    /// Withdraw the notification of an ended follow.
    WithdrawFollow {
        /// The former follower.
        follower: UserId,
        /// The user who was followed.
        followed: UserId,
        /// The notification event of the follow.
        event: EventId,
        /// The time at which the follow ended.
        at: Time,
    },
    /// Withdraw the notifications of a deleted post.
    WithdrawPost {
        /// The post.
        post: PostId,
    },
    /// Withdraw the notification of a deleted comment in a circle.
    WithdrawComment {
        /// The comment.
        comment: PostId,
    },
    /// Retry a page of failed webhook deliveries.
    RetryWebhooks(DuePage),
    /// Send a page of circle posts to the judge, because their wait for an external verdict is over.
    EndVerdictWaits(DuePage),
    /// Process a page of second factors that will be removed after a password reset.
    ResetFactors(DuePage),
    /// Erase a page of evidence 30 days after the decision of its case.
    EraseEvidence(DuePage),
    /// Close the pending cases about a user who is banned permanently.
    CloseCases {
        /// The banned user.
        user: UserId,
        /// The cursor of the previous page's last case.
        #[serde(flatten)]
        page: Paged<String>,
    },
    /// Resend the jobs of reports that were not evaluated in time.
    ResendReports(Paged<ReportId>),
    /// Give the reports of a case the status of the case.
    SettleReports {
        /// The case.
        case: CaseId,
        /// The position after the previous page.
        #[serde(flatten)]
        page: Paged<String>,
    },
    /// Check uploads that were not used within a day, or whose files were not processed.
    SweepUploads(Paged<UploadId>),
    /// Start deleting the rows of circles that died at least 24 hours ago.
    PurgeCircles,
    /// Delete the rows of a page of circles that died at least 24 hours ago.
    PurgePage(DuePage),
    /// Replace a user who is banned for good as the owner of circles.
    ReplaceOwner {
        /// The banned user.
        user: UserId,
        /// The cursor of the previous page's circle.
        #[serde(flatten)]
        page: Paged<String>,
    },
    /// Write a user's new name to their posts in the museum.
    RenameInMuseum {
        /// The renamed user.
        user: UserId,
        /// The cursor of the previous page's last stone.
        #[serde(flatten)]
        page: Paged<String>,
    },
    /// Delete the rows of an ended message group.
    PurgeGroup {
        /// The group.
        group: GroupId,
        /// The job's progress.
        #[serde(flatten)]
        page: Paged<()>,
    },
    /// Copy a user's new username to the user's posts.
    RenameAuthor {
        /// The user.
        user: UserId,
        /// The position after the previous page.
        #[serde(flatten)]
        page: Paged<AuthorPosition>,
    },
    /// Delete the rows of one dead circle.
    PurgeCircle {
        /// The circle.
        circle: CircleId,
        /// The job's progress.
        #[serde(flatten)]
        page: Paged<()>,
    },
}

/// A list of a user's posts. Queued messages contain the variants' names, so never rename a variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum AuthorList {
    /// Listed posts, quotes and reposts.
    Listed,
    /// Replies.
    Answers,
    /// Hidden posts, quotes and reposts.
    Hidden,
    /// Deleted quotes and reposts.
    Unlisted,
    /// Posts that the action log refers to: posts in circles.
    Logged,
}

/// The position at which a page of a user's posts starts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AuthorPosition {
    /// The list.
    pub list: AuthorList,
    /// The sort key of the list's previous row, or `None` at the start of the list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

/// A message to the media worker. The worker's queue also receives the bucket's notifications of new files.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "camelCase")]
pub enum MediaJob {
    /// Copy an upload's changed status to the posts that use the upload.
    Show {
        /// The upload.
        upload: UploadId,
    },
    /// Remove an upload after a post that uses it was deleted, unless the upload has other uses.
    Release {
        /// The upload.
        upload: UploadId,
        /// The post.
        post: PostId,
    },
    /// Remove an upload that is unused a day after its creation. If the upload is used but was not processed, process
    /// its file.
    Expire {
        /// The upload.
        upload: UploadId,
    },
}

/// A message to the worker that sends requests to user-supplied URLs. The worker reads the URLs itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum OutboundJob {
    /// Push a new or updated notification to its recipient's devices.
    WebPush {
        /// The user who is notified.
        recipient: UserId,
        /// The notification.
        notification: NotificationId,
        /// The time at which the notification was written.
        at: Time,
    },
    /// Load the link preview of a post whose first link is new.
    Preview {
        /// The post.
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
        /// The webhook.
        webhook: WebhookId,
        /// The test message.
        announcement: Announcement,
    },
    /// Retry a failed delivery to a webhook.
    RetryDelivery {
        /// The webhook.
        webhook: WebhookId,
        /// The event.
        announcement: AnnouncementId,
    },
}

impl OutboundJob {
    /// Returns the message that announces an event to webhooks. Attach it to the write that causes the event.
    pub fn announce(app: &App, event: AnnouncedEvent, subject: impl ToString) -> Self {
        Self::Announce { announcement: Announcement::now(app, Some(event), subject) }
    }
}

impl Job for TimelineJob {
    fn queue(&self) -> QueueName {
        QueueName::Timeline
    }
}

impl Job for IndexJob {
    fn queue(&self) -> QueueName {
        QueueName::SearchIndex
    }
}

impl Job for MediaJob {
    fn queue(&self) -> QueueName {
        QueueName::Media
    }
}

impl Job for OutboundJob {
    fn queue(&self) -> QueueName {
        QueueName::Outbound
    }
}

impl Job for Chore {
    fn queue(&self) -> QueueName {
        QueueName::Housekeeping
    }
}
