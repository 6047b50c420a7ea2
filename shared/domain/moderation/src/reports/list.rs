//! Lookups of reports.

use base::ids::{ReportId, TargetId, UserId};
use platform::{
    App, Result,
    error::Error,
    page::{Cursor, FillingPage, Page},
    table::{Index, KeyOnly, Query},
};
use posts::Post;
use serde::Deserialize;
use ulid::Ulid;
use utoipa::IntoParams;

use super::{
    Report, ReportStatus, ReportView, key,
    row::{ALL, about, by_status},
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
}

/// Returns the report with this id.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the report does not exist.
pub async fn find(app: &App, id: ReportId) -> Result<Report> {
    app.table.get(&key(id)).await?.ok_or(Error::NotFound("report"))
}

/// Returns a page of the reports that match the filter, newest first.
pub async fn list(app: &App, filter: ReportFilter, cursor: Cursor<ReportId>) -> Result<Page<ReportView>> {
    let query = match (filter.target_id, filter.status) {
        (Some(target), status) => return about_target(app, target.into(), status, cursor).await,
        (None, Some(status)) => Query::index(Index::Gsi1, by_status(status)),
        (None, None) => Query::index(Index::Gsi2, ALL),
    };
    let query = query.newest_first().before(cursor.after).limit(cursor.take.rows() + 1);
    let reports = app.table.query(&query).await?;
    Ok(Page::cut(reports, cursor.take, |report: &Report| report.id.to_string()).map(ReportView::from))
}

/// Returns whether a post was reported. Only reports of type USER do not count.
pub(crate) async fn is_reported(app: &App, post: &Post) -> Result<bool> {
    let prefix = about(&post.id.to_string());
    let query = Query::index(Index::Gsi3, post.author.named()).prefix(prefix).limit(1);
    Ok(!app.table.query::<KeyOnly>(&query).await?.is_empty())
}

/// Returns a page of the reports about a target. They are in the partition of the reported user.
async fn about_target(
    app: &App,
    target: Ulid,
    status: Option<ReportStatus>,
    cursor: Cursor<ReportId>,
) -> Result<Page<ReportView>> {
    let (user, prefix) = match AnyPost::find(app, target.into()).await? {
        Some(post) => (post.author(), about(&target.to_string())),
        None => (UserId::from(target), about(&UserId::from(target).to_string())),
    };
    let mut page = FillingPage::new(cursor);
    while let Some(Cursor { take, after }) = page.to_read() {
        let query = Query::index(Index::Gsi3, user.named()).newest_first().limit(take.rows() + 1);
        let reports: Vec<Report> =
            app.table.query(&query.between(prefix.clone(), high(&prefix, after))).await?;
        let (last, read) = (reports.last().map(|report| report.id), reports.len());
        let has_status = |report: &Report| status.is_none_or(|status| report.status == status);
        page.add(reports.into_iter().filter(has_status), last, read);
    }
    Ok(page.page(|report| report.id.to_string()).map(ReportView::from))
}

/// Returns the highest sort key before the report `after`.
fn high(prefix: &str, after: Option<ReportId>) -> String {
    let below = after.map(|after| Ulid(Ulid::from(after).0.saturating_sub(1)));
    prefix.to_owned() + &below.map_or_else(|| "~".to_owned(), |below| below.to_string())
}
