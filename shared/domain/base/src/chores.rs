//! Jobs of the housekeeping worker.

use platform::{Paged, Time};
use serde::{Deserialize, Serialize};

use crate::{CaseId, CircleId, DuePage, EventId, GroupId, PostId, ReportId, UploadId, UserId};

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
        /// The post of the poll.
        post: PostId,
        /// The sort key of the previous page's last row.
        #[serde(flatten)]
        page: Paged<String>,
    },
    /// Remove the notification about a follow that has ended.
    WithdrawFollow {
        /// The former follower.
        follower: UserId,
        /// The user who was followed.
        followed: UserId,
        /// The event that notified the followed user.
        event: EventId,
        /// The time at which the follow ended.
        at: Time,
    },
    /// Remove the notification about a friend request that was canceled.
    WithdrawFriendRequest {
        /// The user who sent the request.
        sender: UserId,
        /// The user who received the request.
        receiver: UserId,
        /// The time at which the request was sent.
        sent_at: Time,
        /// The time at which the request was canceled.
        at: Time,
    },
    /// Remove the notifications about a deleted post.
    WithdrawPost {
        /// The deleted post.
        post: PostId,
    },
    /// Remove the notification about a deleted comment in a circle.
    WithdrawComment {
        /// The deleted comment.
        comment: PostId,
    },
    /// Retry a page of failed webhook deliveries.
    RetryWebhooks(DuePage),
    /// Send a page of circle posts to the judge, because their wait for an external verdict is over.
    EndVerdictWaits(DuePage),
    /// Process a page of pending removals of second factors: send a reminder, or remove the factor.
    ResetFactors(DuePage),
    /// Erase a page of moderation evidence, 30 days after its case was decided.
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
        /// The case of the reports.
        case: CaseId,
        /// The position at which the next page starts.
        #[serde(flatten)]
        page: Paged<String>,
    },
    /// Check uploads that were not used within a day, or whose files were not processed.
    SweepUploads(Paged<UploadId>),
    /// Start deleting the rows of circles that died at least 24 hours ago.
    PurgeCircles,
    /// Delete the rows of a page of circles that died at least 24 hours ago.
    PurgePage(DuePage),
    /// Give the circles of a permanently banned user to a new owner.
    ReplaceOwner {
        /// The banned user.
        user: UserId,
        /// The cursor of the previous page's circle.
        #[serde(flatten)]
        page: Paged<String>,
    },
    /// Write a user's new name to the user's posts on the memorial stones of circles.
    RenameInMuseum {
        /// The renamed user.
        user: UserId,
        /// The cursor of the previous page's last stone.
        #[serde(flatten)]
        page: Paged<String>,
    },
    /// Delete the rows of an ended message group.
    PurgeGroup {
        /// The ended group.
        group: GroupId,
        /// The job's progress.
        #[serde(flatten)]
        page: Paged<()>,
    },
    /// Copy a user's new username to the user's posts.
    RenameAuthor {
        /// The renamed user.
        user: UserId,
        /// The position at which the next page starts.
        #[serde(flatten)]
        page: Paged<AuthorPosition>,
    },
    /// Delete the rows of one dead circle.
    PurgeCircle {
        /// The dead circle.
        circle: CircleId,
        /// The job's progress.
        #[serde(flatten)]
        page: Paged<()>,
    },
}

platform::jobs!(Chore: Housekeeping);

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
    /// Posts in circles, which a job finds through the user's action log.
    Logged,
}

/// The position at which a page of a user's posts starts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AuthorPosition {
    /// The list that the page belongs to.
    pub list: AuthorList,
    /// The sort key of the list's previous row, or `None` at the start of the list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}
