//! One decision about many cases.

use base::{CaseId, ReasonText};
use people::Administrator;
use platform::{App, Error, Once, Result, Time, retry_on_conflict};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{CaseActions, CaseDecision, Decision, DecisionWrites, decide::finish_ban, decision_writes};
use crate::reports::ReportStatus;

/// Maximum number of cases in a request.
const CASES_MAX: usize = 100;

/// A decision about up to 100 cases.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BulkDecision {
    /// The cases, 1 to 100.
    #[schema(min_items = 1, max_items = 100)]
    pub cases: Vec<CaseId>,
    /// The actions to take, as in a decision about one case.
    pub actions: CaseActions,
    /// The reason shown to the authors.
    pub reason: ReasonText,
    /// A note, visible only to moderators.
    pub note: Option<ReasonText>,
    /// The warning to the authors. Required if the actions contain `warn`, otherwise not allowed.
    pub warning: Option<ReasonText>,
    /// The end of the bans. Allowed only with the action `temp-ban`. Default: in 7 days.
    pub banned_until: Option<Time>,
    /// Whether to refuse cases that are already decided. Default false: the new decision replaces the
    /// earlier one.
    #[serde(default)]
    pub pending_only: bool,
}

/// The result for one case of a decision about several cases.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct BulkResult {
    /// The decided case.
    pub id: CaseId,
    /// The status of the case after the decision. Null if the decision failed.
    pub status: Option<ReportStatus>,
    /// The reason why the decision failed. Null if it succeeded.
    pub error: Option<String>,
}

/// Decides up to 100 cases, one after the other. Returns the result for each case, in the order of the request.
///
/// # Errors
/// Fails with [`Error::Invalid`] unless the request has 1 to 100 cases, or if a field does not fit the actions.
pub async fn decide_all(
    app: &App,
    administrator: &Administrator,
    bulk: BulkDecision,
    once: &Once,
) -> Result<Vec<BulkResult>> {
    if bulk.cases.is_empty() || bulk.cases.len() > CASES_MAX {
        return Err(Error::invalid("cases", "must have 1 to 100 items"));
    }
    let BulkDecision { cases, actions, reason, note, warning, banned_until, pending_only } = bulk;
    let decision = CaseDecision { actions, reason, note, warning, banned_until, pending_only };
    decision.check()?;
    let owner = administrator.id.to_string();
    if let Some(earlier) = once.earlier(app, &owner).await? {
        return Ok(earlier);
    }
    let decision = Decision::from(decision);
    let mut results = Vec::new();
    for id in cases {
        results.push(decide_one(app, administrator, id, &decision).await?);
    }
    once.commit(app, &owner, Vec::new(), results).await
}

async fn decide_one(
    app: &App,
    administrator: &Administrator,
    id: CaseId,
    decision: &Decision,
) -> Result<BulkResult> {
    let decided = retry_on_conflict(async || {
        let DecisionWrites { writes, case, banned } =
            decision_writes(app, administrator, id, decision).await?;
        app.table.write_all(writes).await.map(|()| (case.status, banned))
    });
    match decided.await {
        Ok((status, banned)) => {
            finish_ban(app, administrator, banned).await?;
            Ok(BulkResult { id, status: Some(status), error: None })
        }
        Err(
            error @ (Error::Invalid(_)
            | Error::Forbidden(_)
            | Error::NotFound(_)
            | Error::LimitReached { .. }),
        ) => Ok(BulkResult { id, status: None, error: Some(error.to_string()) }),
        Err(error) => Err(error),
    }
}
