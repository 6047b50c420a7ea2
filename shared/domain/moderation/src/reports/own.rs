//! A user's own reports.

use std::collections::HashMap;

use base::{ReasonText, ReportId, UserId};
use ledger::made::{self, MadeKind};
use platform::{App, Cursor, Page, Result, Time};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Category, Report, ReportStatus, ReportTarget, key};

/// A report by the caller.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnReport {
    /// The report's ID, which is also the cursor.
    pub id: ReportId,
    /// The kind of target.
    pub target_type: ReportTarget,
    /// The ID of the reported user, or of the post if no user was reported.
    pub target_id: String,
    /// The caller's reason.
    pub reason: ReasonText,
    /// The category that the caller chose.
    pub category: Category,
    /// The outcome of the report. `PENDING` until an administrator decides.
    pub status: ReportStatus,
    /// Whether the judge hid the post because of this report. An administrator can still decide otherwise.
    pub hid: bool,
    /// RFC 3339 time of the decision.
    pub decided_at: Option<Time>,
    /// RFC 3339 time of the report.
    pub created_at: Time,
}

/// Returns a page of a user's reports, newest first, with their outcomes.
pub async fn own(app: &App, user: UserId, cursor: Cursor<ReportId>) -> Result<Page<OwnReport>> {
    let made = made::newest(app, user, MadeKind::Report, cursor.after, cursor.take.rows() + 1).await?;
    let ids = made.into_iter().filter_map(|entry| entry.id.parse().ok()).collect();
    let Page { rows, after } = Page::cut(ids, cursor.take, ReportId::to_string);
    let keys: Vec<_> = rows.iter().map(|id| key(*id)).collect();
    let found: Vec<Report> = app.table.batch_get_eventual(&keys).await?;
    let mut found: HashMap<_, _> = found.into_iter().map(|report| (report.id, report)).collect();
    Ok(Page { rows: rows.iter().filter_map(|id| found.remove(id)).map(OwnReport::from).collect(), after })
}

impl From<Report> for OwnReport {
    fn from(report: Report) -> Self {
        let target_id = report.public_target_id();
        let Report { id, target_type, reason, category, status, hid, decided_at, created_at, .. } = report;
        Self { id, target_type, target_id, reason, category, status, hid, decided_at, created_at }
    }
}
