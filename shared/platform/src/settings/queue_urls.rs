//! The settings that hold the addresses of queues.

use serde::{Deserialize, Serialize};

use super::{DeadLetterUrls, Setting, variables::Variables};

/// A queue, by the name that outboxes have for it. Names are added and retired, never changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QueueName {
    /// New likes.
    LikedAdd,
    /// Likes that were taken back.
    LikedRemove,
    /// Reports to be judged.
    ReportEvaluation,
    /// What the search index has to look at.
    SearchIndex,
    /// Mails.
    Mail,
    /// Fan-outs.
    Timeline,
    /// Ticks of notifications.
    NotificationTick,
    /// What is tidied up by the hour.
    Housekeeping,
    /// Posts of circles to be judged.
    CircleJudge,
    /// Circles that lose HP.
    CircleDrain,
    /// CPR that are over.
    CprCheck,
    /// People who leave.
    Leaving,
    /// Uploads: files that were put, and what becomes of them.
    Media,
    /// What is asked of, or sent to, addresses that people gave.
    Outbound,
}

/// The address of each queue. A function has the addresses of the queues to which it sends.
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
    /// `DEAD_LETTERS_URLS`: those of the queues that a worker takes messages from.
    pub dead_letters: Setting<DeadLetterUrls>,
}

impl QueueUrls {
    pub(super) fn read(vars: &Variables<'_>) -> anyhow::Result<Self> {
        Ok(Self {
            liked_add: vars.text("LIKED_ADD_QUEUE_URL"),
            liked_remove: vars.text("LIKED_REMOVE_QUEUE_URL"),
            report_evaluation: vars.text("REPORT_EVALUATION_QUEUE_URL"),
            search_index: vars.text("SEARCH_INDEX_QUEUE_URL"),
            mail: vars.text("MAIL_QUEUE_URL"),
            timeline: vars.text("TIMELINE_QUEUE_URL"),
            notification_tick: vars.text("NOTIFICATION_TICK_QUEUE_URL"),
            housekeeping: vars.text("HOUSEKEEPING_QUEUE_URL"),
            circle_judge: vars.text("CIRCLE_JUDGE_QUEUE_URL"),
            circle_drain: vars.text("CIRCLE_DRAIN_QUEUE_URL"),
            cpr_check: vars.text("CPR_CHECK_QUEUE_URL"),
            leaving: vars.text("LEAVING_QUEUE_URL"),
            media: vars.text("MEDIA_QUEUE_URL"),
            outbound: vars.text("OUTBOUND_QUEUE_URL"),
            dead_letters: vars.parsed("DEAD_LETTERS_URLS")?,
        })
    }

    /// Returns the address of a queue, and the variable that holds it.
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
