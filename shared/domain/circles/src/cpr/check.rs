//! The worker that ends a CPR which did not succeed.

use base::due::{self, Due};
use platform::{
    App,
    deadline::Deadline,
    error::{Error, Result},
    queues::{Job, QueueName},
    rounds::Rounds,
};
use serde::{Deserialize, Serialize};

use super::{super::posts, Cpr};

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
/// time. A page costs 1 call, and 2 calls, 2 WRU and 0.5 RRU for each 4 KB of its day's posts a CPR.
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

/// Ends a CPR without success, unless the judge may yet save it. Nothing is left to do when it succeeded, or another
/// began.
async fn end(app: &App, cpr: Cpr) -> Result<()> {
    match fail(app, cpr).await {
        Err(Error::Stale) => Ok(()),
        done => done,
    }
}

async fn fail(app: &App, cpr: Cpr) -> Result<()> {
    if cpr.unpublished {
        return app.table.write(cpr.publish_write()).await;
    }
    if cpr.can_wait(app.now()) && waits_for_judge(app, &cpr).await? {
        return Ok(());
    }
    let failed = Cpr { resolved_at: Some(app.now()), success: Some(false), ..cpr.clone() };
    app.table.write(failed.progress_write(&cpr)).await
}

/// Whether a comment that came in time is not judged yet.
async fn waits_for_judge(app: &App, cpr: &Cpr) -> Result<bool> {
    let unjudged = posts::unjudged(app, cpr.circle, (cpr.post, cpr.expires_at)).await?;
    Ok(unjudged.iter().any(|it| cpr.counts(it)))
}

impl Job for CprJob {
    fn queue(&self) -> QueueName {
        QueueName::CprCheck
    }
}
