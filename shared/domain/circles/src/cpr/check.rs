//! The worker that ends a CPR which did not succeed.

use base::due::{self, Due, DuePage};
use platform::{
    App,
    deadline::Deadline,
    error::{Error, Result},
    queues::{Job, QueueName},
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
    Page(DuePage),
}

/// Does one job; the same job again changes nothing. A message does pages of 25 CPRs while its invocation has time.
pub async fn check(app: &App, deadline: &Deadline, job: CprJob) -> Result<()> {
    match job {
        CprJob::Check => due::begin::<Cpr, _>(app, Due::Cpr, CprJob::Page).await,
        CprJob::Page(page) => {
            due::pages(app, deadline, Due::Cpr, page, |cpr| end(app, cpr), CprJob::Page).await
        }
    }
}

/// Ends a CPR without success, unless the judge may yet save it. Nothing is left to do when it succeeded, or another
/// began.
async fn end(app: &App, cpr: Cpr) -> Result<()> {
    match fail(app, cpr).await {
        Err(Error::WriteConflict) => Ok(()),
        done => done,
    }
}

async fn fail(app: &App, cpr: Cpr) -> Result<()> {
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
