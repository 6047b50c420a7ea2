//! `/me/devices` and `/push`: devices that receive the caller's push notifications.

use axum::extract::State;
use domain::{
    DeviceId,
    realtime::devices::{self, Device, DeviceDraft, Owner, PushKey},
};
use platform::App;
use runtime::{Caller, Empty, Envelope, Input, List, ListEnvelope, Path, Reply, Respond, RespondList};
use serde::Serialize;
use utoipa::ToSchema;

/// Get the key for Web Push subscriptions
///
/// Use the key in `pushManager.subscribe({userVisibleOnly: true, applicationServerKey: key})`. The key changes when the
/// server's secret is rotated. A client that subscribed with an earlier key must subscribe and register again.
#[utoipa::path(get, path = "/push/key", tag = "users", extensions(("x-status" = json!("extension"))),
    security(("bearer" = [])), responses((status = 200, body = Envelope<PushKey>)))]
pub(crate) async fn get_push_key(State(app): State<App>, _: Caller) -> Respond<PushKey> {
    Ok(Reply::ok(devices::push_key(&app).await?))
}

/// Register a device
///
/// The body has the `endpoint` and the `keys` that `PushSubscription.toJSON()` returns in the browser. New
/// notifications are encrypted and pushed to the device within a minute, as Web Push defines (RFC 8030, 8291, 8292).
/// `/me/notification-preferences` selects which notifications are pushed. A message is JSON of at most 1,000 bytes:
/// `{publicId, type, targetType, targetId, count, lastEventAt, message}`. A newer message about the same notification
/// replaces the earlier message.
///
/// The endpoint must be a public https address. An endpoint identifies a device. The device belongs to the user and the
/// session that registered it last. The device is removed when that session ends, or when the push service no longer
/// accepts the endpoint. A user can have at most 20 devices. Registering one more removes the oldest.
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
    Input { body, once }: Input<DeviceDraft>,
) -> Respond<Device> {
    Ok(Reply::created(devices::register(&app, &once, owner(&caller), body).await?))
}

/// List the caller's devices
///
/// Returns the devices of active sessions, oldest first, on one page.
#[utoipa::path(get, path = "/me/devices", tag = "users", extensions(("x-status" = json!("extension"))),
    security(("bearer" = [])), responses((status = 200, body = ListEnvelope<Device>)))]
pub(crate) async fn list_devices(State(app): State<App>, caller: Caller) -> RespondList<Device> {
    Ok(List(devices::list(&app, owner(&caller)).await?))
}

/// Remove a device
///
/// Pushes to the device stop immediately. Returns 404 if the device does not exist or belongs to another user.
#[utoipa::path(delete, path = "/me/devices/{id}", tag = "users", extensions(("x-status" = json!("extension"))),
    security(("bearer" = [])), params(("id" = DeviceId, Path, description = "ID of the device")),
    responses((status = 200, body = Envelope<DeviceRemoved>)))]
pub(crate) async fn remove_device(
    State(app): State<App>,
    caller: Caller,
    Path(device): Path<DeviceId>,
    Input { once, .. }: Input<Empty>,
) -> Respond<DeviceRemoved> {
    devices::remove(&app, caller.id, device, &once).await?;
    Ok(Reply::ok(DeviceRemoved { removed: true }))
}

/// The device was removed.
#[derive(Serialize, ToSchema)]
#[schema(as = PushDeviceRemoval)]
pub(crate) struct DeviceRemoved {
    /// Always true.
    #[schema(example = true)]
    removed: bool,
}

fn owner(caller: &Caller) -> Owner {
    Owner { user: caller.id, session: caller.session }
}
