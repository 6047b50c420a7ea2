//! Reports: what somebody thinks should not stand. A worker evaluates those of posts and circles.

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

/// What is reported. A client writes it in lower case; it is kept and shown in upper case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schema(as = ReportTargetType)]
pub enum TargetType {
    /// A post.
    Post,
    /// A post's author.
    User,
    /// A circle, by one of its posts.
    Circle,
}

/// How far a report has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum ReportStatus {
    /// No administrator has decided.
    Pending,
    /// An administrator let it stand.
    Dismissed,
    /// An administrator hid what was reported.
    Hidden,
    /// An administrator deleted what was reported.
    Deleted,
}

/// A report to be made.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct ReportDraft {
    /// Why.
    pub reason: ReasonText,
    /// What: `post`, `user` (its author) or `circle`.
    #[serde(rename = "type", deserialize_with = "lower_case")]
    #[schema(value_type = String, example = "post")]
    pub target: TargetType,
}

fn lower_case<'de, D: Deserializer<'de>>(deserializer: D) -> Result<TargetType, D::Error> {
    match String::deserialize(deserializer)?.as_str() {
        "post" => Ok(TargetType::Post),
        "user" => Ok(TargetType::User),
        "circle" => Ok(TargetType::Circle),
        _ => Err(D::Error::custom("must be one of post user circle")),
    }
}

/// A report as it is kept, and as administrators see it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// Which.
    pub id: ReportId,
    /// Who reports.
    pub reporter_id: UserId,
    /// What is reported.
    pub target_type: TargetType,
    /// A user's id for a user, a post's for the others.
    pub target_id: String,
    /// Whose it is.
    pub reported_user_id: UserId,
    /// Why.
    pub reason: ReasonText,
    /// How far it has come.
    pub status: ReportStatus,
    /// How sure the evaluation is that it should not stand, from 0 to 1.
    pub confidence: Option<f64>,
    /// What the evaluation says about it.
    pub assistant_note: Option<String>,
    /// What an administrator wrote about it.
    pub admin_note: Option<ReasonText>,
    /// Who decided.
    pub decided_by: Option<UserId>,
    /// When an administrator decided; from then on no evaluation changes anything.
    pub decided_at: Option<Time>,
    /// When it was made.
    pub created_at: Time,
}

/// What the reporter is told.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Reported {
    /// The report's id.
    pub id: ReportId,
    /// Where it stands.
    pub status: ReportStatus,
}

/// A message that a report is to be evaluated, with what the evaluation needs.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "kebab-case")]
pub enum EvaluationJob {
    /// Judge what was reported.
    #[serde(rename_all = "camelCase")]
    EvaluationReport {
        /// The report.
        report_id: ReportId,
        /// The post it is about.
        target_id: PostId,
        /// What was reported.
        #[serde(rename = "type")]
        target: TargetType,
        /// The text that is judged.
        content: String,
        /// Why it was reported.
        reason: ReasonText,
        /// Who reported it.
        reporter_id: UserId,
        /// Whose it is.
        reported_user_id: UserId,
    },
}

/// Reports a post, its author, or its circle; again and again if need be. 3 calls and, but for a
/// user, a message; 1.5 RRU, 9 WRU.
///
/// # Errors
/// [`Error::NotFound`] when there is no such post; [`Error::Invalid`] for one's own.
pub async fn report(
    app: &App,
    reporter: UserId,
    post: PostId,
    draft: ReportDraft,
    once: &Once,
) -> Result<Reported> {
    let post = posts::find_eventual(app, post).await?;
    let work = async {
        let report = drawn_up(app, reporter, &post, draft)?;
        let pending = statistics::count(report.id.random(), Count::ReportsPending, 1);
        Ok((vec![Write::create(&report), pending], report))
    };
    let report = once.run(app, reporter, work).await?;
    if report.target_type != TargetType::User {
        app.queues.send(&evaluation(&report, &post)).await?;
    }
    Ok(Reported { id: report.id, status: report.status })
}

fn drawn_up(app: &App, reporter: UserId, post: &Post, draft: ReportDraft) -> Result<Report> {
    if post.author == reporter {
        return Err(Error::invalid("publicId", "must not be your own post"));
    }
    let now = app.now();
    let target_id = match draft.target {
        TargetType::User => post.author.to_string(),
        TargetType::Post | TargetType::Circle => post.id.to_string(),
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

fn evaluation(report: &Report, post: &Post) -> EvaluationJob {
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

/// The report with this id. 1 call, 1 RRU.
///
/// # Errors
/// [`Error::NotFound`].
pub async fn find(app: &App, id: ReportId) -> Result<Report> {
    app.table.get(&key(id)).await?.ok_or(Error::NotFound("report"))
}

/// Reports, newest first, of one status or of all. 1 call, 0.5 RRU for each 4 KB.
///
/// # Errors
/// Internal only.
pub async fn list(app: &App, status: Option<ReportStatus>, cursor: Cursor<ReportId>) -> Result<Page<Report>> {
    let query = match status {
        Some(status) => Query::index(Index::Gsi1, with_status(status)),
        None => Query::index(Index::Gsi2, ALL),
    };
    let query = query.newest_first().before(cursor.after).limit(cursor.take.rows() + 1);
    Ok(Page::cut(app.table.query(&query).await?, cursor.take, |it: &Report| it.id.to_string()))
}

const ALL: &str = "REPORTS";

/// Where the reports of a status are listed.
pub(crate) fn with_status(status: ReportStatus) -> &'static str {
    match status {
        ReportStatus::Pending => "REPORTS#PENDING",
        ReportStatus::Dismissed => "REPORTS#DISMISSED",
        ReportStatus::Hidden => "REPORTS#HIDDEN",
        ReportStatus::Deleted => "REPORTS#DELETED",
    }
}

/// Where a report's row is.
pub fn key(id: ReportId) -> Key {
    Key::new(format!("REPORT#{id}"), "REPORT")
}

/// `REPORT#id / REPORT`, gsi1 `REPORTS#status / id`, gsi2 `REPORTS / id`
impl Row for Report {
    fn key(&self) -> Key {
        key(self.id)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        let id = self.id.to_string();
        let by_status = Key::new(with_status(self.status), id.clone());
        vec![(Index::Gsi1, by_status), (Index::Gsi2, Key::new(ALL, id))]
    }
}
