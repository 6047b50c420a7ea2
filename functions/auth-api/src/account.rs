//! `/auth/me` and `/auth/profile`: the caller's own account.

use axum::extract::State;
use domain::accounts::{self, Me, ProfileChange};
use platform::App;
use runtime::{Caller, Envelope, Input, Reply, Respond};
use serde::Serialize;
use utoipa::ToSchema;

/// Read the caller's account
///
/// The response may be up to 30 seconds old.
#[utoipa::path(get, path = "/auth/me", tag = "auth", extensions(("x-status" = json!("live"))),
    security(("bearer" = []), ("token" = ["read"])), responses((status = 200, body = Envelope<Me>)))]
pub(crate) async fn get_me(State(app): State<App>, caller: Caller) -> Respond<Me> {
    Ok(Reply::ok(accounts::me(&app, caller.id).await?))
}

/// Change the caller's profile
///
/// The body has at least one of `name`, `username`, `bio` and `avatar`. `null` clears the bio or the avatar. Returns
/// 400 if the username is taken. The comparison ignores case. A username that looks like an ID is refused. A username
/// can be changed twice within 30 days. A third change returns 429. For 30 days, the earlier username still finds the
/// profile. The list of the caller's posts shows the new username immediately. Other lists show it within a day.
#[utoipa::path(post, path = "/auth/profile", tag = "auth", extensions(("x-status" = json!("live"))),
    security(("bearer" = [])),
    request_body(content = ProfileChange, example = json!({ "name": "Ann N.", "bio": "Writes about rivers." })),
    responses((status = 200, body = Envelope<Updated>)))]
pub(crate) async fn update_profile(
    State(app): State<App>,
    caller: Caller,
    Input { body: change, once }: Input<ProfileChange>,
) -> Respond<Updated> {
    accounts::change_profile(&app, caller.id, change, &once).await?;
    Ok(Reply::ok(Updated { updated: true }))
}

/// The profile was changed.
#[derive(Serialize, ToSchema)]
#[schema(as = ProfileChangeResult)]
pub(crate) struct Updated {
    /// Always true.
    #[schema(example = true)]
    updated: bool,
}
