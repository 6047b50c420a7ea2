//! The pool of daily quests.

use axum::extract::State;
use domain::{
    ledger::action_log::ActionType,
    quests::{self, Code, Quest, QuestDraft, QuestEdit},
};
use platform::{App, Cursor};
use runtime::{
    Admin, Empty, Envelope, Filters, Input, List, ListEnvelope, NoFilters, Path, Query, Reply, Respond,
    RespondList,
};
use serde::Serialize;
use utoipa::ToSchema;

/// Create a daily quest
///
/// The quest can be chosen as a daily quest from the next day on. `action` is one of the 13 actions, or `DEEP_COMMENT`,
/// `QUALITY_POST` or `HELP_OTHERS`, which count judged posts in circles. If a disabled quest has the same code, the new
/// quest replaces it. Requires ADMIN.
#[utoipa::path(post, path = "/admin/daily-quests", tag = "admin",
    extensions(("x-status" = json!("live"))), security(("bearer" = [])),
    request_body(content = QuestDraft, example = json!({"action": "LIKE_CREATED", "requirement": 5})),
    responses((status = 201, body = Envelope<Quest>)))]
pub(crate) async fn create_quest(
    State(app): State<App>,
    Admin(admin): Admin,
    draft: Input<QuestDraft>,
) -> Respond<Quest> {
    Ok(Reply::created(quests::create(&app, admin.id, draft.body, &draft.once).await?))
}

/// List daily quests
///
/// Returns quests in the order of their codes, including disabled quests. Requires ADMIN.
#[utoipa::path(get, path = "/admin/daily-quests", tag = "admin",
    extensions(("x-status" = json!("live"))), security(("bearer" = [])), params(Cursor<Code>),
    responses((status = 200, body = ListEnvelope<Quest>)))]
pub(crate) async fn list_quests(
    State(app): State<App>,
    _: Admin,
    _: Filters<NoFilters>,
    Query(cursor): Query<Cursor<Code>>,
) -> RespondList<Quest> {
    Ok(List(quests::list(&app, cursor).await?))
}

/// An action that a quest can count.
#[derive(Serialize, ToSchema)]
#[schema(as = QuestAction)]
pub(crate) struct Choice {
    /// Name of the action in requests.
    value: ActionType,
    /// Display name of the action.
    #[schema(example = "Đăng bài")]
    label: &'static str,
    /// Display name of the unit in which the action is counted.
    #[schema(example = "bài")]
    unit: &'static str,
}

/// List the actions that a quest can count
///
/// Returns the 13 actions in a fixed order. Requires ADMIN.
#[utoipa::path(get, path = "/admin/daily-quests/actions", tag = "admin",
    extensions(("x-status" = json!("live"))), security(("bearer" = [])),
    responses((status = 200, body = Envelope<Vec<Choice>>)))]
pub(crate) async fn list_quest_actions(_: Admin, _: Filters<NoFilters>) -> Respond<Vec<Choice>> {
    let choices = ActionType::ALL.iter().map(|&(value, label, unit)| Choice { value, label, unit });
    Ok(Reply::ok(choices.collect()))
}

/// Change or enable a daily quest
///
/// Changes the fields in the body, for today too. `enabled: true` enables a disabled quest, and `enabled: false` has the
/// same effect as the route `disable`. A change without effect is not recorded in the audit log. Requires ADMIN.
#[utoipa::path(patch, path = "/admin/daily-quests/{code}", tag = "admin",
    extensions(("x-status" = json!("extension"))), security(("bearer" = [])),
    params(("code" = Code, Path,)),
    request_body(content = QuestEdit, example = json!({"enabled": true, "requirement": 5})),
    responses((status = 200, body = Envelope<Quest>)))]
pub(crate) async fn edit_quest(
    State(app): State<App>,
    Admin(admin): Admin,
    Path(code): Path<Code>,
    Input { body: edit, .. }: Input<QuestEdit>,
) -> Respond<Quest> {
    Ok(Reply::ok(quests::edit(&app, admin.id, code, edit).await?))
}

/// Disable a daily quest
///
/// Removes the quest from the day's quests immediately. Earlier claims stay. Repeating the request has no effect.
/// Requires ADMIN.
#[utoipa::path(patch, path = "/admin/daily-quests/{code}/disable", tag = "admin",
    extensions(("x-status" = json!("live"))), security(("bearer" = [])),
    params(("code" = Code, Path,)), responses((status = 200, body = Envelope<Quest>)))]
pub(crate) async fn disable_quest(
    State(app): State<App>,
    Admin(admin): Admin,
    Path(code): Path<Code>,
    _: Input<Empty>,
) -> Respond<Quest> {
    Ok(Reply::ok(quests::disable(&app, admin.id, code).await?))
}
