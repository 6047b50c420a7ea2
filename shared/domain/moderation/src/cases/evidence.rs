//! Evidence: the content of a case as it was reported. It is erased 30 days after a decision.

use base::{CaseId, Due, MediaJob, UploadId};
use platform::{App, HOUR_SECONDS, Index, Key, Result, Row, Time, Write, outbox::outbox_jobs_write};
use posts::MediaList;
use serde::{Deserialize, Serialize};

use super::row::{Case, partition};
use crate::{any_post::AnyPost, reports::Report};

/// Time for which evidence is kept after a decision.
const KEPT_SECONDS: i64 = 30 * 24 * HOUR_SECONDS;

/// The reported content, as it was at the time of the first report.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Evidence {
    pub(super) case: CaseId,
    pub(super) content: String,
    pub(super) media: MediaList,
    /// The uploads with private copies. Their public files may be deleted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) kept: Vec<UploadId>,
    pub(super) at: Time,
}

/// The time at which the evidence of a decided case is erased.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct EvidenceEnd {
    pub(super) case: CaseId,
    pub(super) at: Time,
}

impl Evidence {
    /// Returns the content of a reported post.
    pub(super) fn of(report: &Report, post: &AnyPost) -> Self {
        let (case, kept) = (report.case_id(), Vec::new());
        Self { case, content: post.text(), media: post.media(), kept, at: report.created_at }
    }

    /// Returns the writes that replace `earlier`, and that delete the private copies of files that only `earlier` has.
    /// The writes fail with a conflict if the evidence changed after the read.
    pub(super) fn replacing_writes(self, app: &App, earlier: Option<&Self>) -> Vec<Write> {
        let Some(earlier) = earlier else { return vec![Write::put(&self)] };
        let is_used = |file: &UploadId| self.media.uploads().any(|used| used == *file);
        let (kept, unused): (Vec<_>, Vec<_>) = earlier.kept.iter().copied().partition(is_used);
        let write = earlier.unchanged(Write::put(&Self { kept, ..self }));
        [write].into_iter().chain(earlier.erase_files_write(app, &unused)).collect()
    }

    /// Returns the writes that delete the evidence with its private copies. The writes fail with a conflict if the
    /// evidence changed after the read.
    pub(super) fn delete_writes(&self, app: &App) -> Vec<Write> {
        let write = self.unchanged(Write::delete(key(self.case)));
        [write].into_iter().chain(self.erase_files_write(app, &self.kept)).collect()
    }

    /// Adds the condition to `write` that the evidence has not changed since it was read.
    pub(super) fn unchanged(&self, write: impl Into<Write>) -> Write {
        let kept = (!self.kept.is_empty()).then_some(&self.kept);
        write.into().equals("at", self.at).is_still("kept", kept)
    }

    /// Returns the outbox record that deletes the private copies of `files`, or `None` if `files` is empty.
    fn erase_files_write(&self, app: &App, files: &[UploadId]) -> Option<Write> {
        let erased = self.media.keys().filter(|(file, _)| files.contains(file));
        let jobs = erased.map(|(_, key)| MediaJob::EraseEvidence { case: self.case, key: key.to_owned() });
        outbox_jobs_write(app, jobs)
    }
}

impl EvidenceEnd {
    /// Returns the row that schedules the erasure of a case's evidence after a decision at `decided_at`.
    pub(super) fn after(case: CaseId, decided_at: Time) -> Self {
        Self { case, at: decided_at.plus_seconds(KEPT_SECONDS) }
    }
}

/// Returns the evidence of a case, or `None` if it was erased.
pub(super) async fn find(app: &App, case: CaseId) -> Result<Option<Evidence>> {
    app.table.get(&key(case)).await
}

/// Returns the key of a case's evidence.
pub(super) fn key(case: CaseId) -> Key {
    Key::new(partition(case), "EVIDENCE")
}

/// Returns the key of the row that schedules the erasure of a case's evidence.
pub(super) fn end_key(case: CaseId) -> Key {
    Key::new(partition(case), "EVIDENCEEND")
}

/// Returns the writes that delete a case's evidence and the row that schedules its erasure.
pub(super) async fn erase_writes(app: &App, case: &Case) -> Result<Vec<Write>> {
    let evidence = find(app, case.id).await?;
    let writes = evidence.map(|evidence| evidence.delete_writes(app)).unwrap_or_default().into_iter();
    Ok(writes.chain([Write::delete(end_key(case.id)).into()]).collect())
}

/// `CASE#id / EVIDENCE`
impl Row for Evidence {
    fn key(&self) -> Key {
        key(self.case)
    }
}

/// `CASE#id / EVIDENCEEND`, gsi3 `DUE#EVIDENCE#shard / end and case`
impl Row for EvidenceEnd {
    fn key(&self) -> Key {
        end_key(self.case)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        vec![(Index::Gsi3, Due::Evidence.index_key(self.case, self.at))]
    }
}
