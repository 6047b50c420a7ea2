//! Pushes a notification to its recipient's devices.

use std::time::Duration;

use anyhow::anyhow;
use base::{NotificationId, UserId};
use futures::{future::try_join_all, try_join};
use http::{
    HeaderMap, HeaderValue,
    header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE},
};
use notifications::{NotificationType, NotificationView};
use platform::{
    App, Error, Result, Row, Time, Write,
    breaker::{self, Purpose},
    guarded::{Failure, Limits},
    outcomes,
    settings::required,
    web_push::{VapidKey, encrypt},
};
use serde_json::json;

use super::row::{DeviceRow, Pushed, live, pushed_key};
use crate::unread::Unread;

/// Limits of a request to a push service. The body of the response is not read.
const LIMITS: Limits = Limits { wait: Duration::from_secs(8), body_max_bytes: 0, is_enough: None };
/// After a change of a notification, a push that failed temporarily is retried for this time.
const RETRY_SECONDS: i64 = 240;
/// Seconds for which a push service keeps a message for an unreachable device: one day.
const TTL_SECONDS: &str = "86400";

/// The outcome of sending a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sent {
    /// The push service accepted the message, or rejected it permanently.
    Done,
    /// The device no longer exists.
    Gone,
    /// The push service failed temporarily.
    Refused,
}

/// Pushes the current state of a notification to the recipient's devices. Skips devices that already received this
/// state. Has no effect if the notification was read, its kind is not pushed, or the account is not active. Removes
/// devices that no longer exist.
///
/// # Errors
/// Fails with an internal error if a push service failed temporarily less than 4 minutes after `at`, the time at which
/// the notification changed. A retry pushes only to the devices for which the push failed.
pub async fn deliver(app: &App, recipient: UserId, notification: NotificationId, at: Time) -> Result<()> {
    let devices = live(app, recipient).await?;
    if devices.is_empty() {
        return outcomes::end("the user has no device");
    }
    let Some(view) = to_push(app, recipient, notification).await? else {
        return outcomes::end("nothing to push");
    };
    let pushed = app.table.get::<Pushed>(&pushed_key(recipient, notification)).await?;
    let pushed = pushed.filter(|pushed| pushed.event_at == view.last_event_at);
    let mut done: Vec<_> = pushed.map(|pushed| pushed.devices).unwrap_or_default();
    let devices: Vec<_> = devices.into_iter().filter(|device| !done.contains(&device.id)).collect();
    let sent = try_join_all(devices.iter().map(|device| send(app, device, &view))).await?;
    let finished = devices.iter().zip(&sent).filter(|(_, sent)| **sent != Sent::Refused);
    done.extend(finished.map(|(device, _)| device.id));
    let (event_at, now) = (view.last_event_at, app.now());
    let pushed = Pushed { recipient, notification, event_at, devices: done, at: now };
    app.table.write(Write::put(&pushed)).await?;
    match sent.contains(&Sent::Refused) && now < at.plus_seconds(RETRY_SECONDS) {
        true => Err(Error::internal(anyhow!("a push service did not accept a message"))),
        false => Ok(()),
    }
}

async fn to_push(app: &App, recipient: UserId, id: NotificationId) -> Result<Option<NotificationView>> {
    let ids = [(recipient, id)].into();
    let (found, is_unread) =
        try_join!(Unread::read(app, &ids), notifications::is_unread(app, recipient, id))?;
    match found.only().filter(|_| is_unread) {
        Some(view) if notifications::is_pushed(app, recipient, view.kind).await? => Ok(Some(view)),
        _ => Ok(None),
    }
}

/// Sends a message to a device, and returns the outcome. Removes the device if the outcome is [`Sent::Gone`].
async fn send(app: &App, device: &DeviceRow, view: &NotificationView) -> Result<Sent> {
    let sent = try_send(app, device, view).await?;
    if sent == Sent::Gone {
        outcomes::note("the device is gone");
        // Does not remove the device if a different session registered it meanwhile.
        let delete = Write::delete(device.key()).equals("session", device.session);
        app.table.try_write(delete).await?;
    }
    Ok(sent)
}

async fn try_send(app: &App, device: &DeviceRow, view: &NotificationView) -> Result<Sent> {
    let Some(key) = VapidKey::find(app, &device.push_key).await? else { return Ok(Sent::Gone) };
    let Ok(url) = app.guarded.parse("endpoint", &device.endpoint) else { return Ok(Sent::Gone) };
    let Ok(body) = encrypt(&device.subscription, payload(view).as_bytes()) else { return Ok(Sent::Gone) };
    let subject = format!("mailto:{}", required(&app.settings.mail_from, "MAIL_FROM")?);
    let token = key.authorization(&url.origin().ascii_serialization(), &subject, app.now())?;
    let request = app.guarded.post(url.clone(), headers(view, &token)?, body, LIMITS);
    Ok(match breaker::ask(app, Purpose::WebPush, &url, request).await? {
        Ok(response) if response.status.is_success() => Sent::Done,
        Ok(response) if matches!(response.status.as_u16(), 404 | 410) => Sent::Gone,
        Ok(response) if response.status.as_u16() == 429 || response.status.is_server_error() => Sent::Refused,
        Ok(response) => {
            tracing::warn!(
                status = response.status.as_u16(),
                "a push service rejected a message permanently"
            );
            Sent::Done
        }
        Err(Failure::Refused(_)) => Sent::Gone,
        Err(Failure::Unanswered(_) | Failure::Paused { .. }) => Sent::Refused,
    })
}

/// Returns the content of the push message, at most 1,000 bytes.
fn payload(view: &NotificationView) -> String {
    json!({
        "publicId": view.public_id,
        "type": view.kind,
        "targetType": view.target_type,
        "targetId": view.target_id,
        "count": view.count,
        "lastEventAt": view.last_event_at,
        "message": view.message,
    })
    .to_string()
}

/// Returns the headers of the push message. Because of the header `topic`, the push service keeps only the newest
/// message for a notification.
fn headers(view: &NotificationView, token: &str) -> Result<HeaderMap> {
    let urgency = match view.kind {
        NotificationType::NewMessage | NotificationType::FriendRequest => "high",
        _ => "normal",
    };
    let mut authorization = HeaderValue::from_str(token).map_err(Error::internal)?;
    authorization.set_sensitive(true);
    let topic = HeaderValue::from_str(&view.public_id.to_string()).map_err(Error::internal)?;
    let mut headers = HeaderMap::new();
    headers.insert(AUTHORIZATION, authorization);
    headers.insert(CONTENT_ENCODING, HeaderValue::from_static("aes128gcm"));
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
    headers.insert("ttl", HeaderValue::from_static(TTL_SECONDS));
    headers.insert("urgency", HeaderValue::from_static(urgency));
    headers.insert("topic", topic);
    Ok(headers)
}
