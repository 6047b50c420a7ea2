//! The worker that ends failed CPRs.

use base::{Due, DuePage, due};
use platform::{App, Deadline, Error, Result, outcomes};
use serde::{Deserialize, Serialize};

use super::Cpr;
use crate::posts;

/// A message to the worker that ends failed CPRs.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "camelCase")]
pub enum CprJob {
    /// Start a check.
    Check,
    /// Check a page of expired CPRs.
    Page(DuePage),
}

/// Runs a check job. Checks pages of 25 CPRs until the deadline. Repeating a job has no effect.
pub async fn check(app: &App, deadline: &Deadline, job: CprJob) -> Result<()> {
    match job {
        CprJob::Check => due::begin::<Cpr, _>(app, Due::Cpr, CprJob::Page).await,
        CprJob::Page(page) => {
            due::pages(app, deadline, Due::Cpr, page, |cpr| end(app, cpr), CprJob::Page).await
        }
    }
}

/// Ends a CPR as failed, but waits while a comment has no verdict. Ignores a conflict, because the next check handles
/// the changed CPR.
async fn end(app: &App, cpr: Cpr) -> Result<()> {
    match fail(app, cpr).await {
        Err(Error::WriteConflict) => outcomes::end("the CPR changed"),
        done => done,
    }
}

async fn fail(app: &App, cpr: Cpr) -> Result<()> {
    if cpr.can_wait_for_next_check(app.now()) && has_unjudged_comment(app, &cpr).await? {
        return outcomes::end("a comment has no verdict yet");
    }
    let failed = Cpr { resolved_at: Some(app.now()), success: Some(false), ..cpr.clone() };
    app.table.write(failed.progress_write(&cpr)).await
}

/// Returns whether a comment was written in time but has not been judged yet.
async fn has_unjudged_comment(app: &App, cpr: &Cpr) -> Result<bool> {
    let unjudged = posts::unjudged(app, cpr.circle, (cpr.post, cpr.expires_at)).await?;
    Ok(unjudged.iter().any(|comment| comment.judged.is_none() && cpr.counts(comment)))
}

platform::jobs!(CprJob: CprCheck);
