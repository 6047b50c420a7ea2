//! Evaluates reports: stores what the judge finds, and hides posts that certainly break the rules.

use base::{
    announcements::AnnouncedEvent,
    ids::{PostId, ReportId},
    jobs::OutboundJob,
};
use judge::ReportVerdict;
use platform::{App, Result, outbox::outbox_record_write, retry_on_conflict, table::Write};

use crate::{
    enforcement::{Enforcement, Grounds, Measure},
    reports::{self, EvaluationJob, Report, ReportStatus},
    verdicts,
    written::Written,
};

/// The confidence from which a post is hidden.
const HIDES_FROM: f64 = 0.96;

/// Evaluates a report of a post or a circle. Does nothing when it was evaluated before, an
/// administrator has decided, or the post was deleted.
///
/// # Errors
/// Internal, when the judge did not answer in its form; the queue retries. [`platform::Error::LimitReached`] when the
/// report or the post changes all the time.
pub async fn evaluate(app: &App, job: &EvaluationJob) -> Result<()> {
    let EvaluationJob::EvaluationReport { report_id, target_id, .. } = job;
    retry_on_conflict(async || evaluate_once(app, *report_id, *target_id).await).await
}

async fn evaluate_once(app: &App, report: ReportId, post: PostId) -> Result<()> {
    let Some(report) = app.table.get::<Report>(&reports::key(report)).await? else { return Ok(()) };
    if report.status != ReportStatus::Pending {
        return Ok(());
    }
    let Some(post) = Written::find(app, post).await?.filter(|it| !it.is_deleted()) else { return Ok(()) };
    match report.confidence {
        Some(_) => Ok(()),
        None => judge_and_store(app, &report, &post).await,
    }
}

/// Judges the post as it is now, and stores the verdict.
async fn judge_and_store(app: &App, report: &Report, post: &Written) -> Result<()> {
    let verdict = verdicts::verdict(app, &post.text()).await?;
    let mut writes = verdict_writes(app, report, post, &verdict);
    if hides(post, &verdict) {
        let grounds = Grounds { decided_by: None, reason: Some(verdict.note), category: report.category };
        writes.extend(Enforcement::new(app, post, Measure::Hidden, grounds).writes(app));
        writes.extend(reports::outcome_writes(app, report).await?);
    }
    app.table.transact(writes).await
}

fn hides(post: &Written, verdict: &ReportVerdict) -> bool {
    verdict.confidence.value() >= HIDES_FROM && !post.is_hidden() && post.moderated_at().is_none()
}

/// Stores the verdict on the report, and hides the post when the confidence is high enough. Stale when
/// the report or the post changed since it was read.
fn verdict_writes(app: &App, report: &Report, post: &Written, verdict: &ReportVerdict) -> Vec<Write> {
    let report_write = Write::update(reports::key(report.id))
        .set("assistantNote", &verdict.note)
        .set("confidence", verdict.confidence)
        .equals("status", ReportStatus::Pending)
        .lacks("confidence");
    let hides = hides(post, verdict);
    let report_write = if hides { report_write.set("hid", true) } else { report_write };
    let hide_writes = hides.then(|| [post.hidden_write(true), hidden_record_write(app, post)]);
    [report_write].into_iter().chain(hide_writes.into_iter().flatten()).collect()
}

/// Returns the letter of what follows when a post is hidden: feed and search learn of it, and webhooks are told.
fn hidden_record_write(app: &App, post: &Written) -> Write {
    let letter = post.republish_record_write(app).unwrap_or_else(|| outbox_record_write(app));
    letter.then(&OutboundJob::announce(app, AnnouncedEvent::PostHidden, post.id()))
}
