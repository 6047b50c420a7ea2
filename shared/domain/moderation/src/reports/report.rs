//! Creates reports of a post, its author or its circle.

use base::{AnnouncedEvent, OutboundJob, PostId, ReasonText, ReportId, UserId};
use platform::{App, Error, HOUR_SECONDS, Once, RateLimit, Result, Write};
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use utoipa::ToSchema;

use super::{Category, EvaluationJob, Report, ReportStatus, ReportTarget, reporter};
use crate::{any_post::AnyPost, author_decision, cases};
use ledger::{
    made::{Made, MadeKind},
    post_limits::is_young,
    statistics::{self, Count},
};

/// Limit on reports per user.
const REPORTS: RateLimit = RateLimit { what: "report", most: 30, seconds: HOUR_SECONDS };
/// Limit on reports by a user whose reports are mostly dismissed.
const DOUBTFUL_REPORTS: RateLimit = RateLimit { most: 5, ..REPORTS };

/// A new report.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct ReportDraft {
    /// The reporter's reason.
    pub reason: ReasonText,
    /// The kind of target: `post`, `user` (the post's author) or `circle`.
    #[serde(rename = "type", deserialize_with = "lower_case")]
    #[schema(value_type = String, example = "post")]
    pub target: ReportTarget,
    /// The category of the violation. Default `OTHER`.
    pub category: Option<Category>,
}

fn lower_case<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ReportTarget, D::Error> {
    match String::deserialize(deserializer)?.as_str() {
        "post" => Ok(ReportTarget::Post),
        "user" => Ok(ReportTarget::User),
        "circle" => Ok(ReportTarget::Circle),
        _ => Err(D::Error::custom("must be one of post, user, circle")),
    }
}

/// The created report.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = CreatedReport)]
pub struct Reported {
    /// The report's ID.
    pub id: ReportId,
    /// The report's status.
    pub status: ReportStatus,
}

/// Reports a post, its author or its circle. A user can report the same post several times.
///
/// # Errors
/// - Fails with [`Error::NotFound`] if the post does not exist or the reporter cannot read it.
/// - Fails with [`Error::Invalid`] if the post is the reporter's own.
/// - Fails with [`Error::LimitReached`] after 30 reports within an hour, or after 5 if the user's reports are mostly
///   dismissed.
pub async fn report(
    app: &App,
    reporter: UserId,
    post: PostId,
    draft: ReportDraft,
    once: &Once,
) -> Result<Reported> {
    let who = reporter.to_string();
    let report = once.run(app, reporter, async || {
        let post = AnyPost::find_readable(app, reporter, post);
        let (is_doubtful, has_strike) =
            (is_doubtful(app, reporter), author_decision::has_strike(app, reporter));
        let (post, is_doubtful, has_strike) = futures::try_join!(post, is_doubtful, has_strike)?;
        let limit = if is_doubtful { DOUBTFUL_REPORTS } else { REPORTS };
        once.count(app, limit, &who).await?;
        let report = report_of(app, reporter, &post, draft.clone())?;
        let count_write = statistics::count_write(report.id.random(), Count::ReportsPending, 1);
        let can_wait = is_doubtful || has_strike || is_young(app, reporter);
        let judged = report.target_type != ReportTarget::User;
        let announce = OutboundJob::announce(app, AnnouncedEvent::ReportCreated, report.id);
        let made_write = made(&report).made_write().then(&announce);
        let made_write =
            if judged { made_write.then(&EvaluationJob::of(&report, &post, can_wait)) } else { made_write };
        let mut writes = vec![Write::create(&report), count_write, made_write];
        writes.extend(cases::report_writes(app, &report, &post, is_doubtful).await?);
        writes.extend(once.count_write(app, limit, &who));
        Ok((writes, report))
    });
    let report = report.await?;
    Ok(Reported { id: report.id, status: report.status })
}

/// Returns whether nearly all reports by a user were dismissed.
async fn is_doubtful(app: &App, user: UserId) -> Result<bool> {
    Ok(reporter::find(app, user).await?.is_some_and(|counts| counts.is_doubtful()))
}

/// Returns the report's entry in the reporter's list of reports.
pub(super) fn made(report: &Report) -> Made {
    Made::new(report.reporter_id, MadeKind::Report, report.id)
}

fn report_of(app: &App, reporter: UserId, post: &AnyPost, draft: ReportDraft) -> Result<Report> {
    if post.author() == reporter {
        return Err(Error::invalid("publicId", "must not be your own post"));
    }
    let now = app.now();
    let target_id = match draft.target {
        ReportTarget::User => post.author().to_string(),
        ReportTarget::Post | ReportTarget::Circle => post.id().to_string(),
    };
    Ok(Report {
        id: app.ids.next(now),
        kept_case_id: None,
        reporter_id: reporter,
        target_type: draft.target,
        target_id,
        reported_user_id: post.author(),
        reason: draft.reason,
        category: draft.category.unwrap_or_default(),
        status: ReportStatus::Pending,
        confidence: None,
        hid: false,
        assistant_note: None,
        admin_note: None,
        decided_by: None,
        decided_at: None,
        created_at: now,
    })
}
