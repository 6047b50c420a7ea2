//! The messages that one part of the domain sends to another's worker. A message may come twice, late or
//! out of order: it carries only ids, and the worker reads the present state.

use platform::{
    App,
    queues::{Job, QueueName},
    rounds::Rounds,
    time::Time,
};
use serde::{Deserialize, Serialize};

use crate::{
    announcements::{AnnouncedEvent, Announcement},
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
        /// The post's author; none in a message of an earlier release.
        #[serde(default)]
        author: Option<UserId>,
        /// The follow at which the last page ended; none for the first page.
        after: Option<Position>,
        /// The messages of the job before this one.
        #[serde(default, skip_serializing_if = "Rounds::is_first")]
        rounds: Rounds,
    },
    /// A user followed an author: write the author's newest posts to the user's timeline.
    BackFill {
        /// The user who follows.
        reader: UserId,
        /// The author who is followed.
        author: UserId,
    },
    /// An author became popular: mark follows of the author until none is left. Several do it at once.
    #[serde(rename = "gather")]
    MarkFollows {
        /// The author.
        author: UserId,
        /// Which of them. A message without it is of a release that had only one.
        #[serde(default)]
        lane: u8,
        /// The messages of the job before this one.
        #[serde(default, skip_serializing_if = "Rounds::is_first")]
        rounds: Rounds,
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
    LiftBans {
        /// The messages of the job before this one.
        #[serde(default, skip_serializing_if = "Rounds::is_first")]
        rounds: Rounds,
    },
    /// Look for what is due by the minute.
    Minute,
    /// Publish a page of the drafts whose time has come.
    PublishDrafts {
        /// The shard that is read.
        shard: u8,
        /// The draft at which the last page ended; none for the first page.
        after: Option<String>,
        /// The messages of the job before this one.
        #[serde(default, skip_serializing_if = "Rounds::is_first")]
        rounds: Rounds,
    },
    /// End a page of the polls whose time is over.
    EndPolls {
        /// The shard that is read.
        shard: u8,
        /// The poll at which the last page ended; none for the first page.
        after: Option<String>,
        /// The messages of the job before this one.
        #[serde(default, skip_serializing_if = "Rounds::is_first")]
        rounds: Rounds,
    },
    /// Tell those who took part in a poll that it has ended.
    TellOfPoll {
        /// The post.
        post: PostId,
        /// The voters at whom the last page ended; none for the first page.
        after: Option<String>,
        /// The messages of the job before this one.
        #[serde(default, skip_serializing_if = "Rounds::is_first")]
        rounds: Rounds,
    },
    /// Have a page of the messages sent again that webhooks did not take.
    TellWebhooks {
        /// The shard that is read.
        shard: u8,
        /// The message at which the last page ended; none for the first page.
        after: Option<String>,
        /// The messages of the job before this one.
        #[serde(default, skip_serializing_if = "Rounds::is_first")]
        rounds: Rounds,
    },
    /// Retired: an earlier release looked for likes whose message was lost. There is nothing to do.
    ResendLikes,
    /// Send the messages of reports again that wait for their evaluation.
    ResendReports {
        /// The report at which the last page ended; none for the first page.
        after: Option<ReportId>,
        /// The messages of the job before this one.
        #[serde(default, skip_serializing_if = "Rounds::is_first")]
        rounds: Rounds,
    },
    /// Have the uploads looked at that nothing used within a day, or whose files did not come.
    SweepUploads {
        /// The upload at which the last page ended; none for the first page.
        after: Option<UploadId>,
        /// The messages of the job before this one.
        #[serde(default, skip_serializing_if = "Rounds::is_first")]
        rounds: Rounds,
    },
    /// Purge the circles that died 24 hours ago.
    PurgeCircles,
    /// Purge a page of those circles.
    PurgePage {
        /// The shard that is read.
        shard: u8,
        /// The circle at which the last page ended; none for the first page.
        after: Option<String>,
        /// The messages of the job before this one.
        #[serde(default, skip_serializing_if = "Rounds::is_first")]
        rounds: Rounds,
    },
    /// Delete the rows of a message group that ended.
    PurgeGroup {
        /// The group.
        group: GroupId,
        /// The messages of the job before this one.
        #[serde(default, skip_serializing_if = "Rounds::is_first")]
        rounds: Rounds,
    },
    /// Purge one circle.
    PurgeCircle {
        /// The circle.
        circle: CircleId,
        /// The messages of the job before this one.
        #[serde(default, skip_serializing_if = "Rounds::is_first")]
        rounds: Rounds,
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
    TellAgain {
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
