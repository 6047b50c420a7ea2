//! `/me/notification-preferences`.

use axum::extract::State;
use domain::notifications::{self, PreferenceChanges, Preferences};
use platform::App;
use runtime::{
    caller::Caller,
    http::{Body, Envelope, Reply, Respond},
};

/// Get what the caller wants to be notified of
///
/// For each kind of notification whose doings the caller is notified of, and whether that is pushed to their devices.
/// Without a choice: of everybody's, and pushed.
#[utoipa::path(get, path = "/me/notification-preferences", tag = "users", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["read"])), responses((status = 200,
    description = "The preference of each kind.", body = Envelope<Preferences>)))]
pub(crate) async fn get_notification_preferences(
    State(app): State<App>,
    caller: Caller,
) -> Respond<Preferences> {
    Ok(Reply::ok(notifications::preferences(&app, caller.id).await?))
}

/// Change what the caller wants to be notified of
///
/// Kinds and fields that are left out stay as they are. `from` is asked when a notification comes about, within 40 seconds
/// of what happened: what came before stays. `following` leaves out people whom the caller does not follow then; what the
/// network itself did, such as the end of a poll, comes unless `from` is `nobody`. `push` is asked when it is pushed.
#[utoipa::path(patch, path = "/me/notification-preferences", tag = "users",
    extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:notifications"])),
    request_body(content = PreferenceChanges, example = json!({
        "LIKE": { "from": "following" }, "NEW_MESSAGE": { "from": "everyone", "push": false }
    })), responses((status = 200,
    description = "The preference of each kind.", body = Envelope<Preferences>)))]
pub(crate) async fn change_notification_preferences(
    State(app): State<App>,
    caller: Caller,
    Body(changes): Body<PreferenceChanges>,
) -> Respond<Preferences> {
    Ok(Reply::ok(notifications::change_preferences(&app, caller.id, changes).await?))
}
