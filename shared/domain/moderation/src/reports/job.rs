//! The job that evaluates a report.

use base::{PostId, ReasonText, ReportId, UserId};
use platform::{Job, QueueName};
use serde::{Deserialize, Serialize};

use super::{Report, ReportTarget};
use crate::any_post::AnyPost;

/// A job to evaluate a report, with the data that the evaluation needs.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "kebab-case")]
pub enum EvaluationJob {
    /// Evaluate a report of a post or a circle.
    #[serde(rename_all = "camelCase")]
    EvaluationReport {
        /// The report's ID.
        report_id: ReportId,
        /// The reported post, or the post of the reported circle.
        target_id: PostId,
        /// The kind of target.
        #[serde(rename = "type")]
        target: ReportTarget,
        /// The post's text at the time of the report.
        content: String,
        /// The reporter's reason.
        reason: ReasonText,
        /// The user who sent the report.
        reporter_id: UserId,
        /// The author of the post.
        reported_user_id: UserId,
        /// Whether other reports are evaluated first. True if the reporter's account is less than 7 days old or has a
        /// strike, or if the reporter's reports are mostly dismissed.
        #[serde(default)]
        can_wait: bool,
    },
}

impl EvaluationJob {
    /// Returns the job that evaluates a report of a post or its circle. `can_wait` is the field of the job.
    pub(super) fn of(report: &Report, post: &AnyPost, can_wait: bool) -> Self {
        Self::EvaluationReport {
            report_id: report.id,
            target_id: post.id(),
            target: report.target_type,
            content: post.content().to_owned(),
            reason: report.reason.clone(),
            reporter_id: report.reporter_id,
            reported_user_id: report.reported_user_id,
            can_wait,
        }
    }
}

impl Job for EvaluationJob {
    fn queue(&self) -> QueueName {
        match self {
            Self::EvaluationReport { can_wait: true, .. } => QueueName::ReportEvaluationLater,
            Self::EvaluationReport { .. } => QueueName::ReportEvaluation,
        }
    }
}
