//! Reports of posts, users and circles. A worker evaluates those of posts and circles.

use platform::{
    App, Result,
    error::Error,
    idempotency::Once,
    page::{Cursor, Page},
    queues::Job,
    settings::QueueUrls,
    table::{Index, Key, Query, Row, Write},
    time::Time,
};
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use utoipa::ToSchema;

use crate::{
    ids::{PostId, ReportId, UserId},
    ledger::statistics::{self, Count},
    posts::{self, Post},
    reasons::ReasonText,
};

/// What is reported. A client writes it in lower case; it is stored and shown in upper case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ReportTarget {
    /// A post.
    Post,
    /// The author of a post.
    User,
    /// The circle of a post.
    Circle,
}

/// Whether and how an administrator has decided on a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ReportStatus {
    /// No administrator has decided.
    Pending,
    /// An administrator dismissed the report.
    Dismissed,
    /// An administrator hid the post.
    Hidden,
    /// An administrator deleted the post.
    Deleted,
}

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

/// A report as it is stored, and as administrators see it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The report's id.
    pub id: ReportId,
    /// The user who reports.
    pub reporter_id: UserId,
    /// What is reported.
    pub target_type: ReportTarget,
    /// The user's id for a report of a user, the post's id for the others.
    pub target_id: String,
    /// The author of the post.
    pub reported_user_id: UserId,
    /// The reporter's reason.
    pub reason: ReasonText,
    /// Whether and how an administrator has decided.
    pub status: ReportStatus,
    /// How sure the evaluation is that the post breaks the rules, from 0 to 1.
    pub confidence: Option<f64>,
    /// The evaluation's reason.
    pub assistant_note: Option<String>,
    /// The administrator's reason.
    pub admin_note: Option<ReasonText>,
    /// The administrator who decided.
    pub decided_by: Option<UserId>,
    /// The time of the decision. No evaluation changes anything after it.
    pub decided_at: Option<Time>,
    /// The time of the report.
    pub created_at: Time,
}

/// A report as the reporter sees it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Reported {
    /// The report's id.
    pub id: ReportId,
    /// The report's status.
    pub status: ReportStatus,
}

/// A job to evaluate a report, with what an evaluation needs.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "kebab-case")]
pub enum EvaluationJob {
    /// Evaluate a report of a post or a circle.
    #[serde(rename_all = "camelCase")]
    EvaluationReport {
        /// The report's id.
        report_id: ReportId,
        /// The post that the report is about.
        target_id: PostId,
        /// What is reported.
        #[serde(rename = "type")]
        target: ReportTarget,
        /// The post's text when it was reported.
        content: String,
        /// The reporter's reason.
        reason: ReasonText,
        /// The user who reports.
        reporter_id: UserId,
        /// The author of the post.
        reported_user_id: UserId,
    },
}

/// Reports a post, its author or its circle. A user can report the same post again. Costs 3 calls, 1.5
/// RRU and 9 WRU; except for a report of a user, 1 send.
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
        let count_write = statistics::count(report.id.random(), Count::ReportsPending, 1);
        Ok((vec![Write::create(&report), count_write], report))
    };
    let report = once.run(app, reporter, work).await?;
    if report.target_type != ReportTarget::User {
        app.queues.send(&evaluation_job(&report, &post)).await?;
    }
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

fn evaluation_job(report: &Report, post: &Post) -> EvaluationJob {
    EvaluationJob::EvaluationReport {
        report_id: report.id,
        target_id: post.id,
        target: report.target_type,
        content: post.content.as_ref().map(|it| it.as_str().to_owned()).unwrap_or_default(),
        reason: report.reason.clone(),
        reporter_id: report.reporter_id,
        reported_user_id: report.reported_user_id,
    }
}

impl Job for EvaluationJob {
    fn queue<'a>(&self, urls: &'a QueueUrls) -> (&'a Option<String>, &'static str) {
        (&urls.report_evaluation, "REPORT_EVALUATION_QUEUE_URL")
    }
}

/// Returns the report with this id. Costs 1 call and 1 RRU.
///
/// # Errors
/// [`Error::NotFound`] when there is no such report.
pub async fn find(app: &App, id: ReportId) -> Result<Report> {
    app.table.get(&key(id)).await?.ok_or(Error::NotFound("report"))
}

/// Returns a page of the reports of one status or of all, newest first. Costs 1 call and 0.5 RRU for
/// each 4 KB.
pub async fn list(app: &App, status: Option<ReportStatus>, cursor: Cursor<ReportId>) -> Result<Page<Report>> {
    let query = match status {
        Some(status) => Query::index(Index::Gsi1, by_status(status)),
        None => Query::index(Index::Gsi2, ALL),
    };
    let query = query.newest_first().before(cursor.after).limit(cursor.take.rows() + 1);
    Ok(Page::cut(app.table.query(&query).await?, cursor.take, |it: &Report| it.id.to_string()))
}

impl Report {
    /// Returns the key in gsi1, which lists the reports of a status.
    pub(super) fn status_index_key(&self) -> Key {
        Key::new(by_status(self.status), self.id.to_string())
    }
}

const ALL: &str = "REPORTS";

fn by_status(status: ReportStatus) -> &'static str {
    match status {
        ReportStatus::Pending => "REPORTS#PENDING",
        ReportStatus::Dismissed => "REPORTS#DISMISSED",
        ReportStatus::Hidden => "REPORTS#HIDDEN",
        ReportStatus::Deleted => "REPORTS#DELETED",
    }
}

/// Returns the key of a report's row.
pub fn key(id: ReportId) -> Key {
    Key::new(format!("REPORT#{id}"), "REPORT")
}

/// `REPORT#id / REPORT`, gsi1 `REPORTS#status / id`, gsi2 `REPORTS / id`
impl Row for Report {
    fn key(&self) -> Key {
        key(self.id)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        let all_key = Key::new(ALL, self.id.to_string());
        vec![(Index::Gsi1, self.status_index_key()), (Index::Gsi2, all_key)]
    }
}
