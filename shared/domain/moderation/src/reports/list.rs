//! Lookups of reports.

use base::{CaseId, ReportId, TargetId, UserId};
use people::{Administrator, UserRef, unique};
use platform::{App, Cursor, Error, FillingPage, Index, Page, Query, Result, table::KeyOnly};
use posts::Post;
use serde::Deserialize;
use ulid::Ulid;
use utoipa::IntoParams;

use super::{
    Category, Report, ReportStatus, ReportView, key,
    row::{ALL, about, by_status, reports_about},
};
use crate::any_post::AnyPost;

/// Filters of the list of reports.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct ReportFilter {
    /// Lists only reports with this status.
    #[param(inline)]
    pub status: Option<ReportStatus>,
    /// Lists only reports about this user, post, or post of a circle.
    pub target_id: Option<TargetId>,
    /// Lists only reports with this category. A page can have fewer than `take` reports even if more reports follow.
    #[param(inline)]
    pub category: Option<Category>,
    /// Lists only reports about this user and the user's posts. A page can have fewer than `take` reports even if more
    /// reports follow.
    #[param(value_type = Option<UserRef>)]
    pub reported_user_id: Option<UserRef>,
}

/// The filters that are checked on each report that a query returns.
#[derive(Clone, Copy)]
struct Matching {
    status: Option<ReportStatus>,
    category: Option<Category>,
    reported: Option<UserId>,
    /// A moderator, who must not see reports about themselves. `None` for administrators.
    moderator: Option<UserId>,
}

impl Matching {
    fn accepts(self, report: &Report) -> bool {
        self.status.is_none_or(|status| report.status == status)
            && self.category.is_none_or(|category| report.category == category)
            && self.reported.is_none_or(|user| report.reported_user_id == user)
            && self.moderator.is_none_or(|user| report.reported_user_id != user)
    }
}

/// Returns the report with this ID.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the report does not exist.
pub async fn find(app: &App, id: ReportId) -> Result<Report> {
    app.table.get(&key(id)).await?.ok_or(Error::NotFound("report"))
}

/// Returns a page of the reports that match the filter, newest first. Moderators do not get reports about themselves.
/// Reads at most 10 pages.
///
/// # Errors
/// Fails with [`Error::Invalid`] if no user has the username in the filter.
pub async fn list(
    app: &App,
    administrator: &Administrator,
    filter: ReportFilter,
    cursor: Cursor<ReportId>,
) -> Result<Page<ReportView>> {
    let reported = match &filter.reported_user_id {
        Some(user) => Some(unique::user_in_filter(app, "reportedUserId", user).await?),
        None => None,
    };
    let moderator = (!administrator.is_admin()).then_some(administrator.id);
    let matching = Matching { status: filter.status, category: filter.category, reported, moderator };
    let query = match (filter.target_id, filter.status) {
        (Some(target), _) => return about_target(app, target.into(), matching, cursor).await,
        (None, Some(status)) => Query::index(Index::Gsi1, by_status(status)),
        (None, None) => Query::index(Index::Gsi2, ALL),
    };
    fill(app, matching, cursor, |after| query.clone().before(after)).await
}

/// Returns a page of the reports that match. `below` returns the query for the reports older than a report.
async fn fill(
    app: &App,
    matching: Matching,
    cursor: Cursor<ReportId>,
    below: impl Fn(Option<ReportId>) -> Query,
) -> Result<Page<ReportView>> {
    let mut page = FillingPage::new(cursor);
    while let Some(Cursor { take, after }) = page.to_read() {
        let query = below(after).newest_first().limit(take.rows() + 1);
        let reports: Vec<Report> = app.table.query(&query).await?;
        let (last, read) = (reports.last().map(|report| report.id), reports.len());
        page.add(reports.into_iter().filter(|report| matching.accepts(report)), last, read);
    }
    Ok(page.page(|report| report.id.to_string()).map(ReportView::from))
}

/// Returns the latest reports about a target, newest first.
pub(crate) async fn latest_about(
    app: &App,
    (reported, case): (UserId, CaseId),
    target: &str,
    rows: usize,
) -> Result<Vec<Report>> {
    let query = reports_about(reported, case).prefix(about(target)).newest_first();
    app.table.query(&query.limit(rows)).await
}

/// Returns whether a post was reported. Reports of type USER do not count.
pub(crate) async fn is_reported(app: &App, post: &Post) -> Result<bool> {
    let prefix = about(&post.id.to_string());
    let query = Query::index(Index::Gsi3, post.author.named()).prefix(prefix).limit(1);
    Ok(!app.table.query::<KeyOnly>(&query).await?.is_empty())
}

/// Returns a page of the reports about a target.
async fn about_target(
    app: &App,
    target: Ulid,
    matching: Matching,
    cursor: Cursor<ReportId>,
) -> Result<Page<ReportView>> {
    let (user, prefix) = match AnyPost::find(app, target.into()).await? {
        Some(post) => (post.author(), about(&target.to_string())),
        None => (UserId::from(target), about(&UserId::from(target).to_string())),
    };
    let query = reports_about(user, target.into());
    fill(app, matching, cursor, |after| query.clone().prefix_before(prefix.clone(), after)).await
}
