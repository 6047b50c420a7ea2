//! Counts how many reports by each user were upheld. Users whose reports are mostly dismissed can report less often.

use std::collections::BTreeSet;

use base::{PublicUserId, UserId};
use platform::{App, Key, Result, Row, Write};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Report, ReportStatus};

/// Minimum number of decided reports before a low share of upheld reports limits the reporter.
const DECIDED_MIN: i64 = 20;
/// At least one report in this number must be upheld. Otherwise, the reporter is limited.
const UPHELD_ONE_IN: i64 = 10;

/// The row of a reporter's counts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Reporter {
    user: UserId,
    /// The number of the user's reports that a moderator decided.
    decided: i64,
    /// The number of the user's reports that a moderator decided and did not dismiss.
    upheld: i64,
}

/// The numbers of decided and upheld reports by a user.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Reporter)]
#[serde(rename_all = "camelCase")]
pub struct ReporterView {
    /// The reporter.
    pub user_id: PublicUserId,
    /// The number of the user's reports that a moderator decided. Omits reports of cases that closed because the
    /// reported user was banned or deleted their account.
    pub decided_count: i64,
    /// The number of these decided reports that were not dismissed.
    pub upheld_count: i64,
}

impl Reporter {
    /// Returns whether more than nine in ten of the user's decided reports were dismissed, out of at least 20.
    pub(super) fn is_doubtful(&self) -> bool {
        self.decided >= DECIDED_MIN && self.upheld * UPHELD_ONE_IN < self.decided
    }
}

/// Returns the numbers of decided and upheld reports by a user, or `None` if no report by the user was decided.
pub(super) async fn find(app: &App, user: UserId) -> Result<Option<Reporter>> {
    // Most users have no such row, and `get_eventual` reads twice if a row is missing.
    Ok(app.table.batch_get_eventual(&[key(user)]).await?.pop())
}

/// Returns the numbers of decided and upheld reports by each user who made one of `reports`. Omits users without a
/// decided report.
pub(crate) async fn reporters(app: &App, reports: &[Report]) -> Result<Vec<ReporterView>> {
    let users: BTreeSet<_> = reports.iter().map(|report| report.reporter_id).collect();
    let keys: Vec<_> = users.into_iter().map(key).collect();
    let rows: Vec<Reporter> = app.table.batch_get_eventual(&keys).await?;
    Ok(rows.into_iter().filter(|row| row.decided > 0).map(ReporterView::from).collect())
}

/// Returns the write that counts a changed decision for the reporter. Returns `None` if no count changes, or if the
/// reporter was deleted.
pub(super) fn count_write(before: &Report, after: &Report) -> Option<Write> {
    let change = |counts: fn(&Report) -> bool| i64::from(counts(after)) - i64::from(counts(before));
    let (decided, upheld) = (change(is_decided), change(is_upheld));
    let is_counted = before.reporter_id != UserId::NONE && (decided, upheld) != (0, 0);
    let write = || Write::update(key(before.reporter_id)).set("user", before.reporter_id);
    is_counted.then(|| write().add("decided", decided).add("upheld", upheld))
}

/// Returns whether a moderator decided the report. A case that closes by itself says nothing about its reports.
fn is_decided(report: &Report) -> bool {
    report.status != ReportStatus::Pending && report.decided_by.is_some()
}

fn is_upheld(report: &Report) -> bool {
    is_decided(report) && report.status != ReportStatus::Dismissed
}

impl From<Reporter> for ReporterView {
    fn from(reporter: Reporter) -> Self {
        let Reporter { user, decided, upheld } = reporter;
        Self { user_id: user.public(), decided_count: decided, upheld_count: upheld }
    }
}

fn key(user: UserId) -> Key {
    Key::new(user.partition(), "REPORTER")
}

/// `USER#id / REPORTER`
impl Row for Reporter {
    fn key(&self) -> Key {
        key(self.user)
    }
}
