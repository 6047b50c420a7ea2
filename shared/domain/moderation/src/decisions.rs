//! Decisions of administrators on reports. A decision on a report decides its whole case. The judge's evaluations never
//! override a decision.

use base::{ReasonText, ReportId};
use people::Administrator;
use platform::{App, Result, retry_on_conflict};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    cases::{self, CaseAction, DecisionWrites},
    reports::{self, ReportStatus},
};

/// The action that an administrator takes on a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, ToSchema)]
#[schema(as = ReportDecisionAction)]
#[serde(rename_all = "lowercase")]
pub enum DecisionAction {
    /// Keep the post. If the automatic evaluation or an earlier decision removed the post, show it again.
    Dismiss,
    /// Hide the post from lists.
    Hide,
    /// Delete the post. Another decision can restore it within 30 days.
    Delete,
}

/// A decision on a report.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[schema(as = ReportDecision)]
#[serde(rename_all = "camelCase")]
pub struct Decision {
    /// The action to take.
    pub action: DecisionAction,
    /// The administrator's reason, visible only to administrators.
    pub admin_note: Option<ReasonText>,
    /// The reason shown to the author of the post.
    pub reason: Option<ReasonText>,
}

/// A report after a decision.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = DecidedReport)]
#[serde(rename_all = "camelCase")]
pub struct Decided {
    /// The report's ID.
    pub id: ReportId,
    /// The report's status after the decision.
    pub status: ReportStatus,
    /// The administrator's reason.
    pub admin_note: Option<ReasonText>,
}

/// Decides on a report and its case. A new decision can replace an earlier decision. A background job gives the other
/// reports of the case the same status. Changes the report, the case, the post and the audit log in one transaction.
/// Has no effect if the same decision is already in force, or while proposed features are off.
///
/// # Errors
/// - Fails with [`platform::Error::NotFound`] if the report does not exist.
/// - Fails with [`platform::Error::Invalid`] if the action is to hide or delete, but a user was reported.
/// - Fails with [`platform::Error::Forbidden`] if the caller is the reported user or the reporter. Also fails if a
///   moderator decides on a report about an administrator.
pub async fn decide(
    app: &App,
    administrator: &Administrator,
    id: ReportId,
    decision: Decision,
) -> Result<Decided> {
    let admin_note = decision.admin_note.clone();
    if !app.has_proposed_features() {
        return Ok(Decided { id, status: ReportStatus::Pending, admin_note: None });
    }
    let status = retry_on_conflict(async || {
        let report = reports::find(app, id).await?;
        let case = report.case_id();
        let decision = cases::Decision {
            actions: CaseAction::from(decision.action).into(),
            reason: decision.reason.clone(),
            note: decision.admin_note.clone(),
            warning: None,
            banned_until: None,
            pending_only: false,
            report: Some(report),
        };
        let DecisionWrites { writes, case, .. } =
            cases::decision_writes(app, administrator, case, &decision).await?;
        app.table.write_all(writes).await?;
        Ok(case.status())
    });
    Ok(Decided { id, status: status.await?, admin_note })
}

impl From<DecisionAction> for CaseAction {
    fn from(action: DecisionAction) -> Self {
        match action {
            DecisionAction::Dismiss => Self::Dismiss,
            DecisionAction::Hide => Self::Hide,
            DecisionAction::Delete => Self::Delete,
        }
    }
}
