//! The settings with the URLs of queues.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use strum::{EnumIter, IntoEnumIterator};

use super::{DeadLetterUrls, Setting, required, variables::Variables};

/// The name of a queue, as outboxes store it. Names are added and retired, but never changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, EnumIter, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QueueName {
    /// New likes.
    LikedAdd,
    /// Removed likes.
    LikedRemove,
    /// Reports to evaluate.
    ReportEvaluation,
    /// Reports by users whose reports can wait.
    ReportEvaluationLater,
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
    /// Pages and pictures to fetch from user-supplied URLs.
    Outbound,
    /// Notifications to push to devices.
    WebPush,
    /// Events to deliver to webhooks.
    Webhook,
}

impl QueueName {
    /// Returns the name of the environment variable with the queue's URL.
    fn variable(self) -> &'static str {
        match self {
            Self::LikedAdd => "LIKED_ADD_QUEUE_URL",
            Self::LikedRemove => "LIKED_REMOVE_QUEUE_URL",
            Self::ReportEvaluation => "REPORT_EVALUATION_QUEUE_URL",
            Self::ReportEvaluationLater => "REPORT_EVALUATION_LATER_QUEUE_URL",
            Self::SearchIndex => "SEARCH_INDEX_QUEUE_URL",
            Self::Mail => "MAIL_QUEUE_URL",
            Self::Timeline => "TIMELINE_QUEUE_URL",
            Self::NotificationTick => "NOTIFICATION_TICK_QUEUE_URL",
            Self::Housekeeping => "HOUSEKEEPING_QUEUE_URL",
            Self::CircleJudge => "CIRCLE_JUDGE_QUEUE_URL",
            Self::CircleDrain => "CIRCLE_DRAIN_QUEUE_URL",
            Self::CprCheck => "CPR_CHECK_QUEUE_URL",
            Self::Leaving => "LEAVING_QUEUE_URL",
            Self::Media => "MEDIA_QUEUE_URL",
            Self::Outbound => "OUTBOUND_QUEUE_URL",
            Self::WebPush => "WEB_PUSH_QUEUE_URL",
            Self::Webhook => "WEBHOOK_QUEUE_URL",
        }
    }
}

/// The URLs of the queues. A function's environment has only the URLs of the queues to which the function sends.
#[derive(Clone)]
pub struct QueueUrls {
    /// The URL of every queue, or `None` if its variable is not set.
    urls: BTreeMap<QueueName, Setting<Option<String>>>,
    /// URLs of the dead-letter queues of the queues that a worker reads, from `DEAD_LETTERS_URLS`.
    pub dead_letters: Setting<DeadLetterUrls>,
}

impl QueueUrls {
    pub(super) fn read(vars: &Variables<'_>) -> anyhow::Result<Self> {
        let read = |queue: QueueName| Ok((queue, vars.url(queue.variable())?));
        let urls = QueueName::iter().map(read).collect::<anyhow::Result<_>>()?;
        Ok(Self { urls, dead_letters: vars.parsed("DEAD_LETTERS_URLS")? })
    }

    /// Returns the URL of a queue.
    ///
    /// # Errors
    /// Fails if the queue's environment variable is not set.
    pub fn of(&self, queue: QueueName) -> crate::Result<&String> {
        required(&self.urls[&queue], queue.variable())
    }
}
