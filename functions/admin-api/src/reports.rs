//! Reports and decisions on them.

use axum::extract::State;
use domain::{
    ids::ReportId,
    moderation::{
        decisions::{self, Decided, Decision},
        reports::{self, Report, ReportStatus},
    },
};
use platform::{App, page::Cursor};
use runtime::{
    caller::Moderator,
    http::{Body, Envelope, List, ListEnvelope, Path, Query, Reply, Respond, RespondList},
};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

/// The filter of a list of rows that have a status.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct StatusQuery<S: ToSchema> {
    /// Only rows of this status.
    #[param(inline)]
    pub(crate) status: Option<S>,
}

/// List reports
///
/// Newest first, with the notes of the evaluation and of administrators.
#[utoipa::path(get, path = "/admin/reports", tag = "admin",
    extensions(("x-status" = json!("live"))), security(("bearer" = []), ("token" = ["admin:reports"])),
    params(StatusQuery<ReportStatus>, Cursor<ReportId>),
    responses((status = 200, body = ListEnvelope<Report>)))]
pub(crate) async fn list_reports(
    State(app): State<App>,
    _: Moderator,
    Query(StatusQuery { status }): Query<StatusQuery<ReportStatus>>,
    Query(cursor): Query<Cursor<ReportId>>,
) -> RespondList<Report> {
    Ok(List(reports::list(&app, status, cursor).await?))
}

/// Decide on a report
///
/// `dismiss` keeps the post, and shows it again when only the evaluation has hidden it; `hide` takes the post out of
/// lists; `delete` deletes it. An administrator can decide again; no evaluation overrides a decision. The author is
/// notified of what is hidden, deleted or shown again, and reads `reason`, not `adminNote`, nor who decided; the
/// reporter is notified that there is a decision. A report of a user can only be dismissed. A report about the
/// administrator who asks answers 403, and one about any administrator to moderators. With `PROPOSED_FEATURES=off` this
/// answers `PENDING` and does nothing.
#[utoipa::path(patch, path = "/admin/reports/{reportId}", tag = "admin",
    extensions(("x-status" = json!("stub"))), security(("bearer" = []), ("token" = ["admin:reports"])),
    params(("reportId" = ReportId, Path,)),
    request_body(content = Decision, example = json!({"action": "hide", "adminNote": "Spam", "reason": "It advertises the same shop every hour."})),
    responses((status = 200, body = Envelope<Decided>)))]
pub(crate) async fn decide_report(
    State(app): State<App>,
    Moderator(moderator): Moderator,
    Path(report): Path<ReportId>,
    Body(decision): Body<Decision>,
) -> Respond<Decided> {
    Ok(Reply::ok(decisions::decide(&app, &moderator.into(), report, decision).await?))
}
