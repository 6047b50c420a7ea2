//! The settings with the URLs of queues.

use serde::{Deserialize, Serialize};

use super::{DeadLetterUrls, Setting, variables::Variables};

/// The name of a queue, as outboxes store it. Names are added and retired, but never changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QueueName {
    /// New likes.
    LikedAdd,
    /// Removed likes.
    LikedRemove,
    /// Reports to evaluate.
    ReportEvaluation,
    /// Changes for the search index.
    SearchIndex,
    /// Emails to send.
    Mail,
    /// Posts to copy to the followers' timelines.
    Timeline,
    /// Jobs that deliver pending notifications.
    NotificationTick,
    /// Hourly housekeeping.
    Housekeeping,
    /// Posts in circles to judge.
    CircleJudge,
    /// Hourly loss of energy (HP) in circles.
    CircleDrain,
    /// Rescues of circles (CPRs) whose time is over.
    CprCheck,
    /// Account deletions and data exports.
    Leaving,
    /// Uploaded files to process.
    Media,
    /// Requests to user-supplied URLs.
    Outbound,
}

/// The URLs of the queues. A function's environment has only the URLs of the queues to which the function sends.
#[derive(Clone, Default)]
pub struct QueueUrls {
    /// `LIKED_ADD_QUEUE_URL`
    pub liked_add: Setting<Option<String>>,
    /// `LIKED_REMOVE_QUEUE_URL`
    pub liked_remove: Setting<Option<String>>,
    /// `REPORT_EVALUATION_QUEUE_URL`
    pub report_evaluation: Setting<Option<String>>,
    /// `SEARCH_INDEX_QUEUE_URL`
    pub search_index: Setting<Option<String>>,
    /// `MAIL_QUEUE_URL`
    pub mail: Setting<Option<String>>,
    /// `TIMELINE_QUEUE_URL`
    pub timeline: Setting<Option<String>>,
    /// `NOTIFICATION_TICK_QUEUE_URL`
    pub notification_tick: Setting<Option<String>>,
    /// `HOUSEKEEPING_QUEUE_URL`
    pub housekeeping: Setting<Option<String>>,
    /// `CIRCLE_JUDGE_QUEUE_URL`
    pub circle_judge: Setting<Option<String>>,
    /// `CIRCLE_DRAIN_QUEUE_URL`
    pub circle_drain: Setting<Option<String>>,
    /// `CPR_CHECK_QUEUE_URL`
    pub cpr_check: Setting<Option<String>>,
    /// `LEAVING_QUEUE_URL`
    pub leaving: Setting<Option<String>>,
    /// `MEDIA_QUEUE_URL`
    pub media: Setting<Option<String>>,
    /// `OUTBOUND_QUEUE_URL`
    pub outbound: Setting<Option<String>>,
    /// `DEAD_LETTERS_URLS`: the dead-letter queues of the queues that a worker reads.
    pub dead_letters: Setting<DeadLetterUrls>,
}

impl QueueUrls {
    pub(super) fn read(vars: &Variables<'_>) -> anyhow::Result<Self> {
        Ok(Self {
            liked_add: vars.url("LIKED_ADD_QUEUE_URL")?,
            liked_remove: vars.url("LIKED_REMOVE_QUEUE_URL")?,
            report_evaluation: vars.url("REPORT_EVALUATION_QUEUE_URL")?,
            search_index: vars.url("SEARCH_INDEX_QUEUE_URL")?,
            mail: vars.url("MAIL_QUEUE_URL")?,
            timeline: vars.url("TIMELINE_QUEUE_URL")?,
            notification_tick: vars.url("NOTIFICATION_TICK_QUEUE_URL")?,
            housekeeping: vars.url("HOUSEKEEPING_QUEUE_URL")?,
            circle_judge: vars.url("CIRCLE_JUDGE_QUEUE_URL")?,
            circle_drain: vars.url("CIRCLE_DRAIN_QUEUE_URL")?,
            cpr_check: vars.url("CPR_CHECK_QUEUE_URL")?,
            leaving: vars.url("LEAVING_QUEUE_URL")?,
            media: vars.url("MEDIA_QUEUE_URL")?,
            outbound: vars.url("OUTBOUND_QUEUE_URL")?,
            dead_letters: vars.parsed("DEAD_LETTERS_URLS")?,
        })
    }

    /// Returns the URL of a queue, and the name of its variable.
    pub fn of(&self, queue: QueueName) -> (&Option<String>, &'static str) {
        match queue {
            QueueName::LikedAdd => (&self.liked_add, "LIKED_ADD_QUEUE_URL"),
            QueueName::LikedRemove => (&self.liked_remove, "LIKED_REMOVE_QUEUE_URL"),
            QueueName::ReportEvaluation => (&self.report_evaluation, "REPORT_EVALUATION_QUEUE_URL"),
            QueueName::SearchIndex => (&self.search_index, "SEARCH_INDEX_QUEUE_URL"),
            QueueName::Mail => (&self.mail, "MAIL_QUEUE_URL"),
            QueueName::Timeline => (&self.timeline, "TIMELINE_QUEUE_URL"),
            QueueName::NotificationTick => (&self.notification_tick, "NOTIFICATION_TICK_QUEUE_URL"),
            QueueName::Housekeeping => (&self.housekeeping, "HOUSEKEEPING_QUEUE_URL"),
            QueueName::CircleJudge => (&self.circle_judge, "CIRCLE_JUDGE_QUEUE_URL"),
            QueueName::CircleDrain => (&self.circle_drain, "CIRCLE_DRAIN_QUEUE_URL"),
            QueueName::CprCheck => (&self.cpr_check, "CPR_CHECK_QUEUE_URL"),
            QueueName::Leaving => (&self.leaving, "LEAVING_QUEUE_URL"),
            QueueName::Media => (&self.media, "MEDIA_QUEUE_URL"),
            QueueName::Outbound => (&self.outbound, "OUTBOUND_QUEUE_URL"),
        }
    }
}
