//! Reporting a post, its author or its circle.

use platform::{App, Result, error::Error, idempotency::Once, outbox::letter_write, table::Write};
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use utoipa::ToSchema;

use super::{EvaluationJob, Report, ReportStatus, ReportTarget};
use crate::{
    ids::{PostId, ReportId, UserId},
    ledger::statistics::{self, Count},
    posts::{self, Post},
    reasons::ReasonText,
};

/// A report as the reporter writes it.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct ReportDraft {
    /// The reporter's reason.
    pub reason: ReasonText,
    /// What is reported: `post`, `user` (the post's author) or `circle`.
    #[serde(rename = "type", deserialize_with = "lower_case")]
    #[schema(value_type = String, example = "post")]
    pub target: ReportTarget,
}

fn lower_case<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ReportTarget, D::Error> {
    match String::deserialize(deserializer)?.as_str() {
        "post" => Ok(ReportTarget::Post),
        "user" => Ok(ReportTarget::User),
        "circle" => Ok(ReportTarget::Circle),
        _ => Err(D::Error::custom("must be one of post user circle")),
    }
}

/// A report as the reporter sees it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Reported {
    /// The report's id.
    pub id: ReportId,
    /// The report's status.
    pub status: ReportStatus,
}

/// Reports a post, its author or its circle. A user can report the same post again. Costs 2 calls, 0.5
/// RRU and 8 WRU; for a report of a user 6 WRU.
///
/// # Errors
/// [`Error::NotFound`] when there is no such post; [`Error::Invalid`] for the reporter's own post.
pub async fn report(
    app: &App,
    reporter: UserId,
    post: PostId,
    draft: ReportDraft,
    once: &Once,
) -> Result<Reported> {
    let post = posts::find_eventual(app, post).await?;
    let work = async {
        let report = report_of(app, reporter, &post, draft)?;
        let count_write = statistics::count_write(report.id.random(), Count::ReportsPending, 1);
        let judged = report.target_type != ReportTarget::User;
        let job_write = judged.then(|| letter_write(app).then(&EvaluationJob::of(&report, &post)));
        Ok(([Write::create(&report), count_write].into_iter().chain(job_write).collect(), report))
    };
    let report = once.run(app, reporter, work).await?;
    Ok(Reported { id: report.id, status: report.status })
}

fn report_of(app: &App, reporter: UserId, post: &Post, draft: ReportDraft) -> Result<Report> {
    if post.author == reporter {
        return Err(Error::invalid("publicId", "must not be your own post"));
    }
    let now = app.now();
    let target_id = match draft.target {
        ReportTarget::User => post.author.to_string(),
        ReportTarget::Post | ReportTarget::Circle => post.id.to_string(),
    };
    Ok(Report {
        id: app.ids.next(now),
        reporter_id: reporter,
        target_type: draft.target,
        target_id,
        reported_user_id: post.author,
        reason: draft.reason,
        status: ReportStatus::Pending,
        confidence: None,
        assistant_note: None,
        admin_note: None,
        decided_by: None,
        decided_at: None,
        created_at: now,
    })
}
