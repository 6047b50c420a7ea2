//! Evidence: the content of a case as it was reported. It is erased 30 days after a decision.

use base::{due::Due, ids::CaseId};
use platform::{
    App,
    error::Result,
    table::{Index, Key, Row, Write},
    time::{HOUR_SECONDS, Time},
};
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
    #[serde(default)]
    pub(super) media: MediaList,
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
        Self { case: report.case_id(), content: post.text(), media: post.media(), at: report.created_at }
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
pub(super) fn erase_writes(case: &Case) -> Vec<Write> {
    [key(case.id), end_key(case.id)].map(|key| Write::delete(key).into()).into()
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
