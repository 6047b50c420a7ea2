//! Evaluates reports: stores the judge's verdict, and hides posts that almost certainly break the rules.

use base::{AnnouncedEvent, OutboundJob, PostId, ReportId};
use judge::ReportVerdict;
use platform::{App, Result, Write, outbox_record_write, outcomes, retry_on_conflict};

use crate::{
    AnyPost, AuthorDecision, Grounds, Report, ReportStatus, ShownAction, cases,
    reports::{self, EvaluationJob},
    statistics, verdicts,
};

/// Minimum confidence at which a post is hidden, from 0 to 1.
const CONFIDENCE_MIN: f64 = 0.96;

/// Evaluates a report of a post or a circle. Has no effect if the report was already evaluated or decided, or if the
/// post was deleted.
///
/// # Errors
/// - Fails with an internal error if the judge's response is invalid. The queue then retries the job.
/// - Fails with [`platform::Error::LimitReached`] if the report or the post changes at every attempt.
pub async fn evaluate(app: &App, job: &EvaluationJob) -> Result<()> {
    let EvaluationJob::EvaluationReport { report_id, target_id, .. } = job;
    retry_on_conflict(async || evaluate_once(app, *report_id, *target_id).await).await
}

async fn evaluate_once(app: &App, report: ReportId, post: PostId) -> Result<()> {
    let Some(report) = app.table.get::<Report>(&reports::key(report)).await? else {
        return outcomes::end("the report is gone");
    };
    if report.status != ReportStatus::Pending {
        return outcomes::end("the report is decided");
    }
    let Some(post) = AnyPost::find(app, post).await?.filter(|post| !post.is_deleted()) else {
        return outcomes::end("the post is gone");
    };
    match report.confidence {
        Some(_) => outcomes::end("repeated"),
        None => judge_and_store(app, &report, &post).await,
    }
}

/// Judges the current text of the post, and stores the verdict.
async fn judge_and_store(app: &App, report: &Report, post: &AnyPost) -> Result<()> {
    let verdict = verdicts::verdict(app, &post.text()).await?;
    let mut writes = verdict_writes(app, report, post, &verdict);
    if hides(post, &verdict) {
        outcomes::note("the post was hidden");
        let grounds = Grounds { decided_by: None, reason: Some(verdict.note), category: report.category };
        writes.extend(AuthorDecision::new(app, post.subject(), ShownAction::Hidden, grounds).writes(app));
        writes.push(statistics::judge_write(app, report.case_id()));
        writes.extend(reports::outcome_writes(app, report).await?);
    }
    app.table.transact(writes).await
}

fn hides(post: &AnyPost, verdict: &ReportVerdict) -> bool {
    verdict.confidence.value() >= CONFIDENCE_MIN && !post.is_hidden() && post.moderated_at().is_none()
}

/// Returns the writes that store the verdict, and hide the post if the confidence is high enough. The writes fail with
/// a conflict if the report or the post changed after the read.
fn verdict_writes(app: &App, report: &Report, post: &AnyPost, verdict: &ReportVerdict) -> Vec<Write> {
    let report_write = Write::update(reports::key(report.id))
        .set("assistantNote", &verdict.note)
        .set("confidence", verdict.confidence)
        .equals("status", ReportStatus::Pending)
        .lacks("confidence");
    let hides = hides(post, verdict);
    let report_write = if hides { report_write.set("hid", true) } else { report_write };
    let hide_writes = hides.then(|| [post.hidden_write(true), hidden_record_write(app, post)]);
    let case_write = cases::confidence_write(report, verdict.confidence.value());
    [report_write, case_write].into_iter().chain(hide_writes.into_iter().flatten()).collect()
}

/// Returns the outbox record for a hidden post. The record's messages notify webhooks. Unless the post is in a circle,
/// the messages also update the feed and the search index.
fn hidden_record_write(app: &App, post: &AnyPost) -> Write {
    let record_write = post.republish_record_write(app).unwrap_or_else(|| outbox_record_write(app));
    record_write.then(&OutboundJob::announce(app, AnnouncedEvent::PostHidden, post.id()))
}
