//! The reports of a user, as they see them.

use std::collections::HashMap;

use base::{
    ids::{ReportId, UserId},
    reasons::ReasonText,
};
use ledger::made::{self, MadeKind};
use platform::{
    App, Result,
    page::{Cursor, Page},
    time::Time,
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Category, Report, ReportStatus, ReportTarget, key};

/// A report of the caller's.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OwnReport {
    /// The report's id; also the cursor.
    pub id: ReportId,
    /// What is reported.
    pub target_type: ReportTarget,
    /// The user's id for a report of a user, the post's id for the others.
    pub target_id: String,
    /// The caller's reason.
    pub reason: ReasonText,
    /// What the caller finds wrong with it.
    pub category: Category,
    /// The outcome; `PENDING` while no administrator has decided.
    pub status: ReportStatus,
    /// Whether the judge hid the post for it, which an administrator may still decide on.
    pub hid: bool,
    /// RFC 3339 time of the decision.
    pub decided_at: Option<Time>,
    /// RFC 3339 time of the report.
    pub created_at: Time,
}

/// Returns a page of a user's reports, newest first, with their outcomes.
pub async fn own(app: &App, user: UserId, cursor: Cursor<ReportId>) -> Result<Page<OwnReport>> {
    let made = made::newest(app, user, MadeKind::Report, cursor.after, cursor.take.rows() + 1).await?;
    let ids = made.into_iter().filter_map(|it| it.id.parse().ok()).collect();
    let Page { rows, after } = Page::cut(ids, cursor.take, ReportId::to_string);
    let keys: Vec<_> = rows.iter().map(|it| key(*it)).collect();
    let found: Vec<Report> = app.table.batch_get_eventual(&keys).await?;
    let mut found: HashMap<_, _> = found.into_iter().map(|it| (it.id, it)).collect();
    Ok(Page { rows: rows.iter().filter_map(|it| found.remove(it)).map(OwnReport::from).collect(), after })
}

impl From<Report> for OwnReport {
    fn from(report: Report) -> Self {
        let Report {
            id, target_type, target_id, reason, category, status, hid, decided_at, created_at, ..
        } = report;
        Self { id, target_type, target_id, reason, category, status, hid, decided_at, created_at }
    }
}
