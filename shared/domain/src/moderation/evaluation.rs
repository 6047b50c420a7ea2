//! Evaluating reports: what the judge finds goes on the report, and what is beyond doubt is hidden.

use platform::{App, Result, error::Error, metrics, table::Write};

use crate::{
    moderation::{
        judge::{self, Case, ReportVerdict},
        reports::{self, EvaluationJob, Report, ReportStatus},
    },
    posts::{self, Content, Post},
};

/// As sure as the judge must be for a post to be hidden.
const HIDES_FROM: f64 = 0.96;
const TRIES: usize = 4;
const CHANGED: Error = Error::Conflict("the report or the post was changed meanwhile");

/// Evaluates a report of a post or a circle. Changes nothing once it was evaluated, an administrator
/// has decided, or the post is gone. 3 calls and one to the judge, 2 RRU, 6 WRU; where it hides 1
/// call, 17 WRU and for a post of type POST 1 send more.
///
/// # Errors
/// Internal only: the judge did not answer, or not in its form, or a message could not be sent; the
/// queue tries again.
pub async fn evaluate(app: &App, job: &EvaluationJob) -> Result<()> {
    let EvaluationJob::EvaluationReport { report_id, target_id, .. } = job;
    for _ in 0..TRIES {
        let Some(report) = app.table.get::<Report>(&reports::key(*report_id)).await? else { return Ok(()) };
        if report.status != ReportStatus::Pending {
            return Ok(());
        }
        let post = match posts::find(app, *target_id).await {
            Err(Error::NotFound(_)) => return Ok(()),
            found => found?,
        };
        match apply(app, &report, &post).await {
            Err(Error::Conflict(_)) => continue,
            done => return done,
        }
    }
    Err(Error::internal(anyhow::anyhow!("a report or its post kept changing while it was evaluated")))
}

/// Judges and writes, unless that was done; then it is only announced, for that may have been missed.
async fn apply(app: &App, report: &Report, post: &Post) -> Result<()> {
    let confidence = match report.confidence {
        Some(confidence) => confidence,
        None => {
            let verdict = metrics::judging(judge::of(app).judge(app, case(report, post))).await?;
            app.table.transact(consequences(report, post, &verdict)).await?;
            verdict.confidence.value()
        }
    };
    if confidence >= HIDES_FROM {
        posts::republish(app, post).await?;
    }
    Ok(())
}

/// The post as it is now: an edit may have made it better or worse.
fn case<'a>(report: &'a Report, post: &'a Post) -> Case<'a> {
    Case { content: post.content.as_ref().map_or("", Content::as_str), reason: report.reason.as_str() }
}

/// The evaluation on the report and, beyond doubt, the post out of every list: together or not at all.
fn consequences(report: &Report, post: &Post, verdict: &ReportVerdict) -> Vec<Write> {
    let evaluated = Write::update(reports::key(report.id))
        .set("assistantNote", &verdict.note)
        .set("confidence", verdict.confidence)
        .equals("status", ReportStatus::Pending)
        .lacks("confidence")
        .or(CHANGED);
    let hides = verdict.confidence.value() >= HIDES_FROM && !post.is_hidden && post.moderated_at.is_none();
    [evaluated].into_iter().chain(hides.then(|| posts::set_hidden_write(post, true))).collect()
}
