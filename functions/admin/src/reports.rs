//! Reports, and what is decided about them.

use axum::extract::State;
use domain::{
    ids::ReportId,
    moderation::{
        decisions::{self, Decided, Decision},
        reports::{self, Report, ReportStatus},
    },
};
use platform::{
    App,
    page::{Cursor, Take},
};
use runtime::{
    caller::Admin,
    http::{Body, Envelope, List, ListEnvelope, Path, Query, Reply, Respond, RespondList},
};
use serde::Deserialize;
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
#[utoipa::path(get, path = "/admin/reports", tag = "admin",
    extensions(("x-status" = json!("live"))), security(("bearer" = [])), params(ReportQuery),
    responses((status = 200, body = ListEnvelope<Report>)))]
pub(crate) async fn list_reports(
    State(app): State<App>,
    _: Admin,
    Query(ReportQuery { status, take, after }): Query<ReportQuery>,
) -> RespondList<Report> {
    Ok(List(reports::list(&app, status, Cursor { take, after }).await?))
}

/// Decide on a report
///
/// `dismiss` lets it stand, and shows again what only the evaluation had hidden; `hide` takes the post
/// out of lists; `delete` deletes it. It can be decided again. No evaluation overrides it. A report of a
/// person can only be dismissed. With `PROPOSED_FEATURES=off` it answers `PENDING` and does nothing.
#[utoipa::path(patch, path = "/admin/reports/{reportId}", tag = "admin",
    extensions(("x-status" = json!("stub"))), security(("bearer" = [])),
    params(("reportId" = ReportId, Path,)),
    request_body(content = Decision, example = json!({"action": "hide", "adminNote": "Spam"})),
    responses((status = 200, body = Envelope<Decided>)))]
pub(crate) async fn decide_report(
    State(app): State<App>,
    Admin(admin): Admin,
    Path(report): Path<ReportId>,
    Body(decision): Body<Decision>,
) -> Respond<Decided> {
    Ok(Reply::ok(decisions::decide(&app, admin.id, report, decision).await?))
}
