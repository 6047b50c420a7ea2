//! The worker that ends a CPR which did not succeed.

use platform::{
    App,
    deadline::Deadline,
    error::{Error, Result},
    queues::{Job, QueueName},
    rounds::Rounds,
};
use serde::{Deserialize, Serialize};

use super::{
    super::{CprResolved, Due, due},
    Cpr,
};

/// A message to the CPR check.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "camelCase")]
pub enum CprJob {
    /// Start a check.
    Check,
    /// Check a page of the CPRs whose time is over.
    Page {
        /// The shard of the page.
        shard: u8,
        /// The sort key of the last CPR of the page before; none for the first page.
        after: Option<String>,
        /// The messages of the job before this one.
        #[serde(default, skip_serializing_if = "Rounds::is_first")]
        rounds: Rounds,
    },
}

/// Does one job; the same job again changes nothing. A message does pages of 25 CPRs while its invocation has
/// time. A page costs 1 call, and 2 calls, 4 WRU and 1 event a CPR.
pub async fn check(app: &App, deadline: &Deadline, job: CprJob) -> Result<()> {
    match job {
        CprJob::Check => {
            let first = |shard| CprJob::Page { shard, after: None, rounds: Rounds::default() };
            due::begin::<Cpr, _>(app, Due::Cpr, first).await
        }
        CprJob::Page { shard, after, rounds } => {
            let next = |after, rounds| CprJob::Page { shard, after, rounds };
            due::pages(app, deadline, (Due::Cpr, shard), (after, rounds), |it| end(app, it), next).await
        }
    }
}

/// Ends a CPR without success, and publishes that. Nothing is left to do when it succeeded, or another began.
async fn end(app: &App, cpr: Cpr) -> Result<()> {
    match fail(app, cpr).await {
        Err(Error::Stale) => Ok(()),
        done => done,
    }
}

async fn fail(app: &App, cpr: Cpr) -> Result<()> {
    let now = app.now();
    let (circle_id, session_id, created_at) = (cpr.circle, cpr.id, cpr.resolved_at.unwrap_or(now));
    let failed = Cpr { resolved_at: Some(now), success: Some(false), unpublished: true, ..cpr.clone() };
    if !cpr.unpublished {
        app.table.write(failed.progress_write(&cpr)).await?;
    }
    app.bus.publish(&CprResolved { circle_id, session_id, success: false, created_at }).await?;
    app.table.write(failed.published_write()).await
}

impl Job for CprJob {
    fn queue(&self) -> QueueName {
        QueueName::CprCheck
    }
}
