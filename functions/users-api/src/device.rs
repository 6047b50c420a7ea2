//! `/me/devices` and `/push`: the devices that the caller's notifications are pushed to.

use axum::extract::State;
use domain::{
    ids::DeviceId,
    realtime::devices::{self, Device, DeviceDraft, Owner, PushKey},
};
use platform::App;
use runtime::{
    caller::Caller,
    http::{Create, Envelope, List, ListEnvelope, Path, Reply, Respond, RespondList},
};
use serde::Serialize;
use utoipa::ToSchema;

/// Get the key to which browsers subscribe
///
/// For `pushManager.subscribe({userVisibleOnly: true, applicationServerKey: key})`. It changes when its secret is rotated: a
/// client that finds another key than the one it subscribed to subscribes and registers again.
#[utoipa::path(get, path = "/push/key", tag = "users", extensions(("x-status" = json!("extension"))),
    security(("bearer" = [])), responses((status = 200, body = Envelope<PushKey>)))]
pub(crate) async fn get_push_key(State(app): State<App>, _: Caller) -> Respond<PushKey> {
    Ok(Reply::ok(devices::push_key(&app).await?))
}

/// Register a device
///
/// A browser's `PushSubscription`, as its `toJSON()` has `endpoint` and `keys`. From then on new notifications are pushed to
/// it, encrypted (Web Push: RFC 8030, 8291, 8292), within a minute of what happened, as `/me/notification-preferences` says.
/// A message is JSON of at most 1,000 bytes: `{publicId, type, targetType, targetId, count, lastEventAt, message}`; a newer
/// one of the same notification takes its place.
///
/// The endpoint is an https address of the public internet. The same endpoint is the same device, of whoever registers it
/// last. It belongs to the session that registers it, and ends with it: with the sign-out, a ban, a lock, a new password. A
/// device that its push service no longer knows is removed. A user has at most 20: the oldest leaves for another.
#[utoipa::path(post, path = "/me/devices", tag = "users", extensions(("x-status" = json!("extension"))),
    security(("bearer" = [])),
    request_body(content = DeviceDraft, example = json!({
        "platform": "web", "endpoint": "https://updates.push.services.mozilla.com/wpush/v2/gAAAAABn",
        "keys": {
            "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            "auth": "BTBZMqHH6r4Tts7J_aSIgg"
        }
    })), responses((status = 201, body = Envelope<Device>)))]
pub(crate) async fn register_device(
    State(app): State<App>,
    caller: Caller,
    Create { body, once }: Create<DeviceDraft>,
) -> Respond<Device> {
    Ok(Reply::created(devices::register(&app, &once, owner(&caller), body).await?))
}

/// List one's devices
///
/// Those whose sessions live, on one page, the oldest first.
#[utoipa::path(get, path = "/me/devices", tag = "users", extensions(("x-status" = json!("extension"))),
    security(("bearer" = [])), responses((status = 200, body = ListEnvelope<Device>)))]
pub(crate) async fn list_devices(State(app): State<App>, caller: Caller) -> RespondList<Device> {
    Ok(List(devices::list(&app, owner(&caller)).await?))
}

/// Remove a device
///
/// Nothing is pushed to it from then on. One that does not exist or belongs to another user answers 404.
#[utoipa::path(delete, path = "/me/devices/{id}", tag = "users", extensions(("x-status" = json!("extension"))),
    security(("bearer" = [])), params(("id" = DeviceId, Path, description = "The device's id")),
    responses((status = 200, body = Envelope<DeviceRemoved>)))]
pub(crate) async fn remove_device(
    State(app): State<App>,
    caller: Caller,
    Path(device): Path<DeviceId>,
) -> Respond<DeviceRemoved> {
    devices::remove(&app, caller.id, device).await?;
    Ok(Reply::ok(DeviceRemoved { removed: true }))
}

/// The answer to a device that was removed.
#[derive(Serialize, ToSchema)]
pub(crate) struct DeviceRemoved {
    /// Always true.
    #[schema(example = true)]
    removed: bool,
}

fn owner(caller: &Caller) -> Owner {
    Owner { user: caller.id, session: caller.session }
}
