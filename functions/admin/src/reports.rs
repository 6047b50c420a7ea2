//! Reports, and what is decided about them.

use axum::extract::State;
use serde::Deserialize;
use shared::{
    App, Result,
    caller::Admin,
    http::{Body, Envelope, ListEnvelope, Path, Query, Reply, Respond},
    ids::ReportId,
    moderation::{self, Decided, Decision},
    page::{Cursor, Page, Take},
    reports::{self, Report, ReportStatus},
};
use utoipa::IntoParams;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct ReportQuery {
    /// Only those of this status.
    #[param(inline)]
    status: Option<ReportStatus>,
    /// Rows wanted: 20 unless said, 100 at most.
    #[serde(default)]
    #[param(value_type = Option<u8>, default = 20, minimum = 1, maximum = 100)]
    take: Take,
    /// The `after` of the page before.
    after: Option<ReportId>,
}

/// List reports
///
/// Newest first, with what the evaluation and administrators wrote about them.
#[utoipa::path(get, path = "/admin/reports", tag = "admin", operation_id = "listReports",
    extensions(("x-status" = json!("live"))), security(("bearer" = [])), params(ReportQuery),
    responses((status = 200, body = ListEnvelope<Report>)))]
pub(crate) async fn list(
    State(app): State<App>,
    _: Admin,
    Query(ReportQuery { status, take, after }): Query<ReportQuery>,
) -> Result<Page<Report>> {
    reports::list(&app, status, Cursor { take, after }).await
}

/// Decide on a report
///
/// `dismiss` lets it stand, and shows again what only the evaluation had hidden; `hide` takes the post
/// out of lists; `delete` deletes it. It can be decided again. No evaluation overrides it. A report of a
/// person can only be dismissed. With `PROPOSED_FEATURES=off` it answers `PENDING` and does nothing.
#[utoipa::path(patch, path = "/admin/reports/{reportId}", tag = "admin", operation_id = "decideReport",
    extensions(("x-status" = json!("stub"))), security(("bearer" = [])),
    params(("reportId" = ReportId, Path,)),
    request_body(content = Decision, example = json!({"action": "hide", "adminNote": "Spam"})),
    responses((status = 200, body = Envelope<Decided>)))]
pub(crate) async fn decide(
    State(app): State<App>,
    Admin(admin): Admin,
    Path(report): Path<ReportId>,
    Body(decision): Body<Decision>,
) -> Respond<Decided> {
    moderation::decide(&app, admin.id, report, decision).await.map(Reply::ok)
}
