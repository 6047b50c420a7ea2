//! `/quests`, and the caller's karma and badges.

use axum::extract::State;
use domain::quests::{self, Badges, Claimed, Code, Daily, KarmaLog};
use platform::App;
use runtime::{Caller, Empty, Envelope, Input, Path, Reply, Respond, Routes, routes};

/// Returns this Lambda function's HTTP routes.
pub fn routes() -> Routes {
    routes![list_daily_quests, claim_quest, get_karma, list_badges]
}

/// List the day's quests
///
/// Returns at most three quests, which are the same for all users. Progress is the number of distinct targets on that
/// day. Undoing and repeating an action does not increase the progress. An edit that lowers the score of a judged
/// post does not reduce the progress. A day starts at 00:00 UTC, which is 07:00 in UTC+7. Without the proposed
/// features, no quest is about circles.
#[utoipa::path(get, path = "/quests/daily", tag = "quests",
    extensions(("x-status" = json!("live"))), security(("bearer" = []), ("token" = ["read"])),
    responses((status = 200, body = Envelope<Daily>)))]
pub(crate) async fn list_daily_quests(State(app): State<App>, caller: Caller) -> Respond<Daily> {
    Ok(Reply::ok(quests::daily(&app, caller.id).await?))
}

/// Claim the reward of a quest
///
/// A user can claim each quest once a day, and can earn at most 3 karma a day from quests. If the reward would exceed
/// this limit, the user earns only what is left, which can be 0. `capReached` is then true. Returns 400 if the quest is
/// not complete, and 404 if it is not one of the day's quests.
#[utoipa::path(post, path = "/quests/{code}/claim", tag = "quests",
    extensions(("x-status" = json!("live"))), security(("bearer" = [])),
    params(("code" = Code, Path,)),
    responses(
        (status = 200, body = Envelope<Claimed>),
        (status = 400, description = "`VALIDATION_FAILED`: the quest is not complete"),
        (status = 409, description = "`CONFLICT`: the reward was already claimed"),
    ))]
pub(crate) async fn claim_quest(
    State(app): State<App>,
    caller: Caller,
    Path(code): Path<Code>,
    Input { once, .. }: Input<Empty>,
) -> Respond<Claimed> {
    Ok(Reply::ok(quests::claim(&app, caller.id, code, &once).await?))
}

/// Read the caller's karma
///
/// Returns the balance, and its latest 100 changes.
#[utoipa::path(get, path = "/users/me/karma", tag = "quests",
    extensions(("x-status" = json!("proposed"))), security(("bearer" = []), ("token" = ["read"])),
    responses((status = 200, body = Envelope<KarmaLog>)))]
pub(crate) async fn get_karma(State(app): State<App>, caller: Caller) -> Respond<KarmaLog> {
    Ok(Reply::ok(quests::karma(&app, caller.id).await?))
}

/// List the caller's badges
///
/// Returns one badge for each circle to which the caller gave karma, at most 100.
#[utoipa::path(get, path = "/users/me/badges", tag = "quests",
    extensions(("x-status" = json!("proposed"))), security(("bearer" = []), ("token" = ["read"])),
    responses((status = 200, body = Envelope<Badges>)))]
pub(crate) async fn list_badges(State(app): State<App>, caller: Caller) -> Respond<Badges> {
    Ok(Reply::ok(quests::badges(&app, caller.id).await?))
}
