//! The messages that one part of the domain sends to another's worker. A message may come twice, late or
//! out of order: it carries only ids, and the worker reads the present state.

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
        AnnouncementId, CircleId, GroupId, NotificationId, Position, PostId, ReportId, UploadId, UserId,
        WebhookId,
    },
};

/// A message to the timeline worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum TimelineJob {
    /// A post was written: write it to the timelines of its author's followers.
    FanOut {
        /// The post.
        post: PostId,
        /// The post's author.
        author: UserId,
        /// The follow at which the last page ended.
        #[serde(flatten)]
        page: Paged<Position>,
    },
    /// A user followed an author: write the author's newest posts to the user's timeline.
    BackFill {
        /// The user who follows.
        reader: UserId,
        /// The author who is followed.
        author: UserId,
    },
    /// An author became popular: mark the follows of the author until all are marked.
    MarkFollows {
        /// The author.
        author: UserId,
        /// The messages of the job before this one.
        #[serde(flatten)]
        page: Paged<()>,
    },
}

/// A message that the search index may be outdated.
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
    /// End the bans that are due.
    LiftBans(Paged<()>),
    /// Look for what is due by the minute.
    Minute,
    /// Publish a page of the drafts whose time has come.
    PublishDrafts(DuePage),
    /// End a page of the polls whose time is over.
    EndPolls(DuePage),
    /// Tell those who took part in a poll that it has ended.
    NotifyPollEnded {
        /// The post.
        post: PostId,
        /// The voters at whom the last page ended.
        #[serde(flatten)]
        page: Paged<String>,
    },
    /// Have a page of the messages sent again that webhooks did not take.
    RetryWebhooks(DuePage),
    /// Send the messages of reports again that wait for their evaluation.
    ResendReports(Paged<ReportId>),
    /// Have the uploads looked at that nothing used within a day, or whose files did not come.
    SweepUploads(Paged<UploadId>),
    /// Purge the circles that died 24 hours ago.
    PurgeCircles,
    /// Purge a page of those circles.
    PurgePage(DuePage),
    /// Delete the rows of a message group that ended.
    PurgeGroup {
        /// The group.
        group: GroupId,
        /// The messages of the job before this one.
        #[serde(flatten)]
        page: Paged<()>,
    },
    /// Purge one circle.
    PurgeCircle {
        /// The circle.
        circle: CircleId,
        /// The messages of the job before this one.
        #[serde(flatten)]
        page: Paged<()>,
    },
}

/// A message to the media worker. Its queue has the bucket's own messages too, of files that were put.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "camelCase")]
pub enum MediaJob {
    /// The status of an upload changed: have its posts show it.
    Show {
        /// The upload.
        upload: UploadId,
    },
    /// A post that showed an upload was deleted: remove the upload where nothing else uses it.
    Release {
        /// The upload.
        upload: UploadId,
        /// The post.
        post: PostId,
    },
    /// A day has passed since an upload was begun: remove it where nothing uses it, else look at its file at last.
    Expire {
        /// The upload.
        upload: UploadId,
    },
}

/// A message to the worker that asks addresses which people gave, and sends to them. It reads the addresses itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum OutboundJob {
    /// A notification is new, or counts more events: push it to its recipient's devices.
    WebPush {
        /// The user whose notification it is.
        recipient: UserId,
        /// The notification.
        notification: NotificationId,
        /// The time at which it was flushed.
        at: Time,
    },
    /// A post has another first link: look what its page says of itself.
    Preview {
        /// The post.
        post: PostId,
    },
    /// What is written in a circle has another first link: look what its page says of itself.
    PreviewInCircle {
        /// The circle's post.
        post: PostId,
    },
    /// Something happened: tell the webhooks that want to know of it.
    Announce {
        /// What happened.
        announcement: Announcement,
    },
    /// An administrator tests a webhook.
    TestWebhook {
        /// The webhook.
        webhook: WebhookId,
        /// What it is told.
        announcement: Announcement,
    },
    /// A webhook did not take a message, and its next attempt is due.
    RetryDelivery {
        /// The webhook.
        webhook: WebhookId,
        /// What it was told.
        announcement: AnnouncementId,
    },
}

impl OutboundJob {
    /// Returns the message by which what happens now is announced to webhooks, on the write that does it.
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
