//! `/quests`, and the karma and badges that they earn.

use axum::extract::State;
use domain::quests::{self, Badges, Claimed, Code, Daily, KarmaLog};
use platform::App;
use runtime::{
    caller::Caller,
    http::{Envelope, Path, Reply, Respond, Routes},
    routes,
};

/// The routes of this function.
pub fn routes() -> Routes {
    routes![list_daily_quests, claim_quest, get_karma, list_badges,]
}

/// List the day's quests
///
/// At most three, the same for everybody. The caller's progress counts the different targets of the day,
/// so undoing and repeating adds nothing. A day begins at 07:00 in UTC+7.
#[utoipa::path(get, path = "/quests/daily", tag = "quests",
    extensions(("x-status" = json!("live"))), security(("bearer" = []), ("token" = ["read"])),
    responses((status = 200, body = Envelope<Daily>)))]
pub(crate) async fn list_daily_quests(State(app): State<App>, caller: Caller) -> Respond<Daily> {
    Ok(Reply::ok(quests::daily(&app, caller.id).await?))
}

/// Claim the reward of a quest
///
/// Once a quest and day. All quests together earn at most 3 karma a day. 400 while the quest is not
/// complete, 404 when it is not one of the day's quests.
#[utoipa::path(post, path = "/quests/{code}/claim", tag = "quests",
    extensions(("x-status" = json!("live"))), security(("bearer" = [])),
    params(("code" = Code, Path,)),
    responses(
        (status = 200, body = Envelope<Claimed>),
        (status = 400, description = "`VALIDATION_FAILED`: it is not complete"),
        (status = 409, description = "`CONFLICT`: it is claimed already"),
    ))]
pub(crate) async fn claim_quest(
    State(app): State<App>,
    caller: Caller,
    Path(code): Path<Code>,
) -> Respond<Claimed> {
    Ok(Reply::ok(quests::claim(&app, caller.id, code).await?))
}

/// Read the caller's karma
///
/// The balance and its newest 100 changes.
#[utoipa::path(get, path = "/users/me/karma", tag = "quests",
    extensions(("x-status" = json!("proposed"))), security(("bearer" = []), ("token" = ["read"])),
    responses((status = 200, body = Envelope<KarmaLog>)))]
pub(crate) async fn get_karma(State(app): State<App>, caller: Caller) -> Respond<KarmaLog> {
    Ok(Reply::ok(quests::karma(&app, caller.id).await?))
}

/// List the caller's badges
///
/// One for each circle that the caller gave karma to, at most 100; empty while there is none.
#[utoipa::path(get, path = "/users/me/badges", tag = "quests",
    extensions(("x-status" = json!("proposed"))), security(("bearer" = []), ("token" = ["read"])),
    responses((status = 200, body = Envelope<Badges>)))]
pub(crate) async fn list_badges(State(app): State<App>, caller: Caller) -> Respond<Badges> {
    Ok(Reply::ok(quests::badges(&app, caller.id).await?))
}
