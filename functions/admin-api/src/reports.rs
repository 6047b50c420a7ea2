//! Reports, and the decisions about them.

use axum::extract::State;
use domain::{
    ReportId,
    moderation::{
        decisions::{self, Decided, Decision},
        reports::{self, ReportFilter, ReportView},
    },
};
use platform::{App, Cursor};
use runtime::{
    Envelope, Filters, Input, List, ListEnvelope, Moderator, Path, Query, Reply, Respond, RespondList,
};

/// List reports
///
/// Returns reports, newest first, with the notes from the automatic evaluation and from administrators. `targetId` is
/// the ID of a reported user, or of the post of a reported post or circle. Moderators do not get reports about
/// themselves. Returns 400 for an unknown filter. Requires MODERATOR or ADMIN.
#[utoipa::path(get, path = "/admin/reports", tag = "admin",
    extensions(("x-status" = json!("live"))), security(("bearer" = []), ("token" = ["admin:reports"])),
    params(ReportFilter, Cursor<ReportId>),
    responses((status = 200, body = ListEnvelope<ReportView>)))]
pub(crate) async fn list_reports(
    State(app): State<App>,
    Moderator(moderator): Moderator,
    Filters(filter): Filters<ReportFilter>,
    Query(cursor): Query<Cursor<ReportId>>,
) -> RespondList<ReportView> {
    Ok(List(reports::list(&app, &moderator.into(), filter, cursor).await?))
}

/// Decide a report
///
/// - `dismiss` keeps the post. If it is hidden, or moderation deleted it within the last 30 days, it is shown again.
/// - `hide` removes the post from lists.
/// - `delete` deletes the post. Another decision can restore it for 30 days.
///
/// The decision is about the whole case: all reports of the target get the same status, and each reporter is notified
/// once. A moderator can decide the same report again. Repeating a decision has no effect. Later evaluations do not
/// override a decision. The author is notified if the post is hidden, deleted or shown again. The author sees `reason`,
/// but neither `adminNote` nor the moderator's name. A report about a user can only be dismissed here. `POST
/// /admin/cases/{caseId}/decisions` has more actions.
///
/// If the author has deleted the post meanwhile, `hide` and `delete` change nothing, and the status is `DELETED`.
///
/// Returns 403 if the report is about the caller or by the caller. If the caller is a moderator, also returns 403 for a
/// report about an administrator. With `PROPOSED_FEATURES=off`, returns `PENDING` and does nothing.
/// Requires MODERATOR or ADMIN.
#[utoipa::path(patch, path = "/admin/reports/{reportId}", tag = "admin",
    extensions(("x-status" = json!("stub"))), security(("bearer" = []), ("token" = ["admin:reports"])),
    params(("reportId" = ReportId, Path,)),
    request_body(content = Decision, example = json!({"action": "hide", "adminNote": "Spam", "reason": "It advertises the same shop every hour."})),
    responses((status = 200, body = Envelope<Decided>)))]
pub(crate) async fn decide_report(
    State(app): State<App>,
    Moderator(moderator): Moderator,
    Path(report): Path<ReportId>,
    Input { body: decision, .. }: Input<Decision>,
) -> Respond<Decided> {
    Ok(Reply::ok(decisions::decide(&app, &moderator.into(), report, decision).await?))
}
