//! Appeals, and the decisions about them.

use axum::extract::State;
use domain::{
    AppealId,
    moderation::appeals::{self, AppealDecision, AppealStatus, AppealView},
};
use platform::{App, Cursor};
use runtime::{
    Envelope, Filters, Input, List, ListEnvelope, Moderator, Path, Query, Reply, Respond, RespondList,
};
use serde::Deserialize;
use utoipa::IntoParams;

/// Filters of the list of appeals.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct AppealFilter {
    /// Returns only appeals with this status.
    #[param(inline)]
    status: Option<AppealStatus>,
}

/// List appeals
///
/// Returns appeals, newest first. Requires MODERATOR or ADMIN.
#[utoipa::path(get, path = "/admin/appeals", tag = "admin",
    extensions(("x-status" = json!("extension"))), security(("bearer" = []), ("token" = ["admin:reports"])),
    params(AppealFilter, Cursor<AppealId>),
    responses((status = 200, body = ListEnvelope<AppealView>)))]
pub(crate) async fn list_appeals(
    State(app): State<App>,
    _: Moderator,
    Filters(AppealFilter { status }): Filters<AppealFilter>,
    Query(cursor): Query<Cursor<AppealId>>,
) -> RespondList<AppealView> {
    Ok(List(appeals::list(&app, status, cursor).await?))
}

/// Decide an appeal
///
/// Requires MODERATOR or ADMIN. An appeal against a ban requires ADMIN. `uphold` keeps the post hidden, or the user
/// banned. `grant` returns the post to lists, feeds and search, or lifts the ban. A decision is final, and the user who
/// appealed is notified. Returns 403 if the caller wrote the appeal or reported the post. The user who made the appealed
/// decision gets 403 until three days after the appeal.
#[utoipa::path(patch, path = "/admin/appeals/{appealId}", tag = "admin",
    extensions(("x-status" = json!("extension"))), security(("bearer" = []), ("token" = ["admin:reports"])),
    params(("appealId" = AppealId, Path,)),
    request_body(content = AppealDecision, example = json!({"action": "grant", "adminNote": "It is a quotation."})),
    responses((status = 200, body = Envelope<AppealView>)))]
pub(crate) async fn decide_appeal(
    State(app): State<App>,
    Moderator(moderator): Moderator,
    Path(appeal): Path<AppealId>,
    Input { body: decision, .. }: Input<AppealDecision>,
) -> Respond<AppealView> {
    Ok(Reply::ok(appeals::decide(&app, &moderator.into(), appeal, decision).await?.into()))
}
