//! Appeals, and the decisions about them.

use axum::extract::State;
use domain::{
    ids::AppealId,
    moderation::appeals::{self, Appeal, AppealDecision, AppealStatus},
};
use platform::{App, page::Cursor};
use runtime::{
    caller::Moderator,
    http::{Envelope, Input, List, ListEnvelope, Path, Query, Reply, Respond, RespondList},
};

use crate::reports::StatusQuery;

/// List appeals
///
/// Returns appeals, newest first. Requires MODERATOR or ADMIN.
#[utoipa::path(get, path = "/admin/appeals", tag = "admin",
    extensions(("x-status" = json!("extension"))), security(("bearer" = []), ("token" = ["admin:reports"])),
    params(StatusQuery<AppealStatus>, Cursor<AppealId>),
    responses((status = 200, body = ListEnvelope<Appeal>)))]
pub(crate) async fn list_appeals(
    State(app): State<App>,
    _: Moderator,
    Query(StatusQuery { status }): Query<StatusQuery<AppealStatus>>,
    Query(cursor): Query<Cursor<AppealId>>,
) -> RespondList<Appeal> {
    Ok(List(appeals::list(&app, status, cursor).await?))
}

/// Decide an appeal
///
/// Requires MODERATOR or ADMIN. `uphold` keeps the post hidden. `grant` shows it again in lists, feeds and search. A
/// decision is final, and the author is notified. Returns 403 if the caller wrote the appeal. The moderator who hid the
/// post gets 403 until three days after the appeal was made.
#[utoipa::path(patch, path = "/admin/appeals/{appealId}", tag = "admin",
    extensions(("x-status" = json!("extension"))), security(("bearer" = []), ("token" = ["admin:reports"])),
    params(("appealId" = AppealId, Path,)),
    request_body(content = AppealDecision, example = json!({"action": "grant", "adminNote": "It is a quotation."})),
    responses((status = 200, body = Envelope<Appeal>)))]
pub(crate) async fn decide_appeal(
    State(app): State<App>,
    Moderator(moderator): Moderator,
    Path(appeal): Path<AppealId>,
    Input { body: decision, .. }: Input<AppealDecision>,
) -> Respond<Appeal> {
    Ok(Reply::ok(appeals::decide(&app, &moderator.into(), appeal, decision).await?))
}
