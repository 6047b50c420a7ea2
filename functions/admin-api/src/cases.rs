//! Cases: all reports of one user or post, and the decision about them.

use axum::extract::State;
use domain::{
    CaseId,
    moderation::{
        cases::{
            self, BulkDecision, BulkResult, CaseAssignment, CaseDecision, CaseDetail, CaseFilter, CaseNote,
            CaseView,
        },
        statistics::{self, ModerationStatistics, Month},
    },
};
use platform::{App, Cursor};
use runtime::{
    Empty, Envelope, Filters, Input, List, ListEnvelope, Moderator, Path, Query, Reply, Respond, RespondList,
};
use serde::Deserialize;
use utoipa::IntoParams;

/// List cases
///
/// Returns the pending cases, the oldest first, without cases about the caller. All reports of one user or post form a
/// case. A new report about a decided case reopens the case. At most one of `assignee`, `reportedUser` and `reporter` can be used. None of them
/// can be combined with `sort`. Requires MODERATOR or ADMIN. Returns 400 for an unknown filter.
#[utoipa::path(get, path = "/admin/cases", tag = "admin",
    extensions(("x-status" = json!("extension"))), security(("bearer" = []), ("token" = ["admin:reports"])),
    params(CaseFilter, Cursor<String>),
    responses((status = 200, body = ListEnvelope<CaseView>)))]
pub(crate) async fn list_cases(
    State(app): State<App>,
    Moderator(moderator): Moderator,
    Filters(filter): Filters<CaseFilter>,
    Query(cursor): Query<Cursor<String>>,
) -> RespondList<CaseView> {
    Ok(List(cases::list(&app, moderator.id, filter, cursor).await?))
}

/// Read a case
///
/// Returns the case with the content at the time of the report, and the current content. Also returns the author's
/// account and earlier decisions, the latest reports, and the history. If the post no longer exists, the audit log
/// records which moderator read the case. The URLs of the reported files end after 5 minutes. Requires MODERATOR or ADMIN.
#[utoipa::path(get, path = "/admin/cases/{caseId}", tag = "admin",
    extensions(("x-status" = json!("extension"))), security(("bearer" = []), ("token" = ["admin:reports"])),
    params(("caseId" = CaseId, Path,)),
    responses((status = 200, body = Envelope<CaseDetail>)))]
pub(crate) async fn get_case(
    State(app): State<App>,
    Moderator(moderator): Moderator,
    Path(case): Path<CaseId>,
) -> Respond<CaseDetail> {
    Ok(Reply::ok(cases::detail(&app, moderator.id, case).await?))
}

/// Decide a case
///
/// The decision applies to all reports of the case, and each reporter is notified once. A later decision can replace
/// the decision. The author is notified, and sees `reason` and `warning`, but neither `note` nor the moderator's name.
/// Repeating a decision has no effect. Later evaluations of the judge do not override a decision.
///
/// A decision has at most one of `dismiss`, `hide` and `delete`, and at most one of `temp-ban` and `ban`. `dismiss`
/// cannot be combined with other actions. A deleted post is kept for 30 days, so that `dismiss`, `hide` or an undo can
/// restore it. If the author has deleted the post meanwhile, the actions on the post are left out of `outcome`. If the
/// author has deleted the account, the warning is left out too. A post in a circle can be neither labeled nor locked.
///
/// A case with a ban can be dismissed only after an undo, which lifts the ban.
///
/// Requires MODERATOR or ADMIN. `temp-ban`, `ban` and escalated cases require ADMIN. Returns 403 if the case is about the
/// caller, if the caller reported it, and for a moderator if the case is about an administrator.
#[utoipa::path(post, path = "/admin/cases/{caseId}/decisions", tag = "admin",
    extensions(("x-status" = json!("extension"))), security(("bearer" = []), ("token" = ["admin:reports"])),
    params(("caseId" = CaseId, Path,)),
    request_body(content = CaseDecision, example = json!({"actions": ["hide", "warn"], "reason": "It advertises the same shop every hour.", "warning": "Please stop advertising.", "note": "Third time"})),
    responses((status = 200, body = Envelope<CaseView>)))]
pub(crate) async fn decide_case(
    State(app): State<App>,
    Moderator(moderator): Moderator,
    Path(case): Path<CaseId>,
    Input { body, once }: Input<CaseDecision>,
) -> Respond<CaseView> {
    Ok(Reply::ok(cases::decide(&app, &moderator.into(), case, body, &once).await?))
}

/// Decide up to 100 cases
///
/// Makes the same decision about each case, one after the other. Returns a result for each case, in the order of the
/// request. A failed case does not affect the others. Requires MODERATOR or ADMIN, and the same roles as a decision about
/// one case.
#[utoipa::path(post, path = "/admin/cases/decisions", tag = "admin",
    extensions(("x-status" = json!("extension"))), security(("bearer" = []), ("token" = ["admin:reports"])),
    request_body(content = BulkDecision, example = json!({"cases": ["01KGB5T9G0A1B2C3D4E5F6G7H8"], "actions": ["dismiss"], "reason": "It breaks no rule."})),
    responses((status = 200, body = Envelope<Vec<BulkResult>>)))]
pub(crate) async fn decide_cases(
    State(app): State<App>,
    Moderator(moderator): Moderator,
    Input { body, once }: Input<BulkDecision>,
) -> Respond<Vec<BulkResult>> {
    Ok(Reply::ok(cases::decide_all(&app, &moderator.into(), body, &once).await?))
}

/// Undo the decision about a case
///
/// Reopens the case. Restores the post with its counts and list entries from before the decision. Lifts a ban that the
/// decision imposed, but does not withdraw a warning. If the author has deleted the post meanwhile, it stays deleted.
/// Requires MODERATOR or ADMIN, and the roles that the decision required. Returns 400 if the case is not decided.
#[utoipa::path(post, path = "/admin/cases/{caseId}/undo", tag = "admin",
    extensions(("x-status" = json!("extension"))), security(("bearer" = []), ("token" = ["admin:reports"])),
    params(("caseId" = CaseId, Path,)),
    responses((status = 200, body = Envelope<CaseView>)))]
pub(crate) async fn undo_case(
    State(app): State<App>,
    Moderator(moderator): Moderator,
    Path(case): Path<CaseId>,
    Input { once, .. }: Input<Option<Empty>>,
) -> Respond<CaseView> {
    Ok(Reply::ok(cases::undo(&app, &moderator.into(), case, &once).await?))
}

/// Assign a case
///
/// Assigns the case to the caller or to `assignee`. With `null`, ends the assignment. Other moderators can still decide the
/// case. Requires MODERATOR or ADMIN. Returns 400 if the assignee is not a moderator, or is the reported user.
#[utoipa::path(post, path = "/admin/cases/{caseId}/assign", tag = "admin",
    extensions(("x-status" = json!("extension"))), security(("bearer" = []), ("token" = ["admin:reports"])),
    params(("caseId" = CaseId, Path,)),
    request_body(content = Option<CaseAssignment>, example = json!({"assignee": "mod_binh"})),
    responses((status = 200, body = Envelope<CaseView>)))]
pub(crate) async fn assign_case(
    State(app): State<App>,
    Moderator(moderator): Moderator,
    Path(case): Path<CaseId>,
    Input { body, once }: Input<Option<CaseAssignment>>,
) -> Respond<CaseView> {
    Ok(Reply::ok(cases::assign(&app, moderator.id, case, body.unwrap_or_default(), &once).await?))
}

/// Write a note about a case
///
/// Only moderators can read notes, which are listed in the history of the case. Requires MODERATOR or ADMIN.
#[utoipa::path(post, path = "/admin/cases/{caseId}/notes", tag = "admin",
    extensions(("x-status" = json!("extension"))), security(("bearer" = []), ("token" = ["admin:reports"])),
    params(("caseId" = CaseId, Path,)),
    request_body(content = CaseNote, example = json!({"text": "I asked the author."})),
    responses((status = 200, body = Envelope<CaseView>)))]
pub(crate) async fn note_case(
    State(app): State<App>,
    Moderator(moderator): Moderator,
    Path(case): Path<CaseId>,
    Input { body, once }: Input<CaseNote>,
) -> Respond<CaseView> {
    Ok(Reply::ok(cases::note(&app, moderator.id, case, body, &once).await?))
}

/// Escalate a case
///
/// From now on, only administrators can decide the case. Repeating the request has no effect. Requires MODERATOR or
/// ADMIN. Returns 400 if the case is decided.
#[utoipa::path(post, path = "/admin/cases/{caseId}/escalate", tag = "admin",
    extensions(("x-status" = json!("extension"))), security(("bearer" = []), ("token" = ["admin:reports"])),
    params(("caseId" = CaseId, Path,)),
    responses((status = 200, body = Envelope<CaseView>)))]
pub(crate) async fn escalate_case(
    State(app): State<App>,
    Moderator(moderator): Moderator,
    Path(case): Path<CaseId>,
    Input { once, .. }: Input<Option<Empty>>,
) -> Respond<CaseView> {
    Ok(Reply::ok(cases::escalate(&app, moderator.id, case, &once).await?))
}

/// The month of the statistics.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct MonthFilter {
    /// The month, in UTC. Default: the current month.
    #[param(inline)]
    month: Option<Month>,
}

/// Read the statistics of moderation
///
/// Returns the numbers of decisions, hidden posts and appeals in one month, for transparency reports. Also returns the
/// users who hid the most posts. Requires MODERATOR or ADMIN.
#[utoipa::path(get, path = "/admin/statistics/moderation", tag = "admin",
    extensions(("x-status" = json!("extension"))), security(("bearer" = []), ("token" = ["admin:reports"])),
    params(MonthFilter),
    responses((status = 200, body = Envelope<ModerationStatistics>)))]
pub(crate) async fn get_moderation_statistics(
    State(app): State<App>,
    _: Moderator,
    Filters(MonthFilter { month }): Filters<MonthFilter>,
) -> Respond<ModerationStatistics> {
    Ok(Reply::ok(statistics::read(&app, month).await?))
}
