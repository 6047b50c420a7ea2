//! Stores decisions in reports.

use ledger::statistics::Count;
use platform::{Index, Row, Write};

use super::{Report, ReportStatus, reporter};

/// Returns the writes that store the decision and count it for the reporter. The writes fail with a conflict if the
/// report was decided after the read, or if its reporter was deleted after the read.
pub(crate) fn decision_writes(before: &Report, after: &Report) -> impl Iterator<Item = Write> {
    let write = Write::update(after.key()).set("status", after.status);
    let write = write.index_key(Index::Gsi1, Some(after.status_index_key()));
    let write = write.set_or_remove("adminNote", after.admin_note.as_ref());
    let write =
        write.set_or_remove("decidedBy", after.decided_by).set_or_remove("decidedAt", after.decided_at);
    let write = write.equals("status", before.status).is_still("decidedAt", before.decided_at);
    let write = write.equals("reporterId", before.reporter_id);
    [write].into_iter().chain(reporter::count_write(before, after))
}

/// Returns the change to the number of pending reports when a report's status changes, or `None`.
pub(crate) fn pending_change(before: ReportStatus, after: ReportStatus) -> Option<(Count, i64)> {
    match (before, after) {
        (ReportStatus::Pending, ReportStatus::Pending) => None,
        (ReportStatus::Pending, _) => Some((Count::ReportsPending, -1)),
        (_, ReportStatus::Pending) => Some((Count::ReportsPending, 1)),
        _ => None,
    }
}
