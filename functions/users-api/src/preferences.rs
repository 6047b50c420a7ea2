//! `/me/notification-preferences`: which events notify the caller.

use axum::extract::State;
use domain::notifications::{self, PreferenceChanges, Preferences};
use platform::App;
use runtime::{Caller, Envelope, Input, Reply, Respond};

/// Get the caller's notification preferences
///
/// For each kind of notification, `from` says which users can notify the caller. `push` says whether notifications of
/// this kind are pushed to devices. By default, all users can notify the caller, and notifications are pushed.
#[utoipa::path(get, path = "/me/notification-preferences", tag = "users", extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["read"])), responses((status = 200,
    description = "Preference of each kind", body = Envelope<Preferences>)))]
pub(crate) async fn get_notification_preferences(
    State(app): State<App>,
    caller: Caller,
) -> Respond<Preferences> {
    Ok(Reply::ok(notifications::preferences(&app, caller.id).await?))
}

/// Change the caller's notification preferences
///
/// The body has at least one kind. Omitted kinds and fields stay unchanged.
///
/// `from` applies when a notification is created, within 40 seconds of its event. Existing notifications stay.
/// `following` excludes users that the caller does not follow at that time.
/// Notifications from the network itself, such as the end of a poll, are excluded only by `nobody`. `push` applies when
/// the notification is pushed.
#[utoipa::path(patch, path = "/me/notification-preferences", tag = "users",
    extensions(("x-status" = json!("extension"))),
    security(("bearer" = []), ("token" = ["write:notifications"])),
    request_body(content = PreferenceChanges, example = json!({
        "LIKE": { "from": "following" }, "NEW_MESSAGE": { "from": "everyone", "push": false }
    })), responses((status = 200,
    description = "Preference of each kind", body = Envelope<Preferences>)))]
pub(crate) async fn change_notification_preferences(
    State(app): State<App>,
    caller: Caller,
    Input { body: changes, .. }: Input<PreferenceChanges>,
) -> Respond<Preferences> {
    Ok(Reply::ok(notifications::change_preferences(&app, caller.id, changes).await?))
}
