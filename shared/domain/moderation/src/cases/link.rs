//! Entries in a user's partition that refer to cases: the cases that the user reported, and the cases assigned to the
//! user.

use base::{CaseId, ReportId, UserId};
use platform::{App, Key, Query, Result, Row};
use serde::{Deserialize, Serialize};
use strum::AsRefStr;

use crate::reports::Report;

/// The relation of a user to a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, AsRefStr, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum Relation {
    /// The user reported the target of the case.
    Reported,
    /// The case is assigned to the user.
    Assigned,
}

/// An entry in the list of a user's cases.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct CaseLink {
    pub(super) user: UserId,
    pub(super) relation: Relation,
    pub(super) case: CaseId,
    /// The user's latest report. `None` for a case that is assigned to the user.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) report: Option<ReportId>,
}

impl CaseLink {
    pub(super) fn new(user: UserId, relation: Relation, case: CaseId) -> Self {
        Self { user, relation, case, report: None }
    }

    /// Returns the entry for the case of a report in the list of its reporter.
    pub(super) fn of(report: &Report) -> Self {
        let link = Self::new(report.reporter_id, Relation::Reported, report.case_id());
        Self { report: Some(report.id), ..link }
    }

    /// Returns whether the entry exists.
    pub(super) async fn exists(&self, app: &App) -> Result<bool> {
        Ok(app.table.get::<Self>(&self.key()).await?.is_some())
    }
}

/// Returns the query for the user's partition, and the sort key prefix of the cases with this relation.
pub(super) fn links_of(user: UserId, relation: Relation) -> (Query, String) {
    let prefix = format!("CASE{}#", relation.as_ref());
    (Query::partition(user.partition()), prefix)
}

/// `USER#u / CASEREPORTED#case` or `USER#u / CASEASSIGNED#case`
impl Row for CaseLink {
    fn key(&self) -> Key {
        Key::new(self.user.partition(), format!("CASE{}#{}", self.relation.as_ref(), self.case))
    }
}
