//! Pushes a notification to its recipient's devices.

use std::time::Duration;

use anyhow::anyhow;
use base::ids::{NotificationId, UserId};
use futures::{future::try_join_all, try_join};
use http::{
    HeaderMap, HeaderValue,
    header::{AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE},
};
use notifications::{NotificationType, NotificationView};
use platform::{
    App, Result,
    error::Error,
    guarded::{Failure, Limits},
    settings::required,
    table::{Row, Write},
    time::Time,
    web_push::{VapidKey, encrypt},
};
use serde_json::json;

use super::row::{DeviceRow, Pushed, live, pushed_key};
use crate::unread::Unread;

/// How much of a push service's answer is waited for: its status.
const LIMITS: Limits = Limits { wait: Duration::from_secs(8), body_max_bytes: 0 };
/// The seconds after which what a push service did not take is given up. Its queue brings it again before.
const RETRIED_SECONDS: i64 = 240;
/// A push service keeps a message for a device that sleeps for a day.
const TTL_SECONDS: &str = "86400";

/// What became of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sent {
    /// The push service took it, or refused it for good.
    Done,
    /// There is no such device any more.
    Gone,
    /// It may be taken later.
    Refused,
}

/// Pushes a notification, as its recipient may see it now, to those of their devices that it was not pushed to: unless
/// it was read, its kind is not to be pushed, or the account does not work. A device that is gone is removed.
///
/// # Errors
/// Internal, within 4 minutes, when a push service did not take it: then it is pushed again to that device alone.
pub async fn deliver(app: &App, recipient: UserId, notification: NotificationId, at: Time) -> Result<()> {
    let devices = live(app, recipient).await?;
    if devices.is_empty() {
        return Ok(());
    }
    let Some(view) = to_push(app, recipient, notification).await? else { return Ok(()) };
    let pushed = app.table.get::<Pushed>(&pushed_key(recipient, notification)).await?;
    let mut done: Vec<_> =
        pushed.filter(|it| it.event_at == view.last_event_at).map(|it| it.devices).unwrap_or_default();
    let devices: Vec<_> = devices.into_iter().filter(|it| !done.contains(&it.id)).collect();
    let sent = try_join_all(devices.iter().map(|it| send(app, it, &view))).await?;
    done.extend(devices.iter().zip(&sent).filter(|(_, sent)| **sent != Sent::Refused).map(|(it, _)| it.id));
    let (event_at, now) = (view.last_event_at, app.now());
    let pushed = Pushed { recipient, notification, event_at, devices: done, at: now };
    app.table.write(Write::put(&pushed)).await?;
    match sent.contains(&Sent::Refused) && now < at.plus_seconds(RETRIED_SECONDS) {
        true => Err(Error::internal(anyhow!("a push service did not take a message"))),
        false => Ok(()),
    }
}

async fn to_push(app: &App, recipient: UserId, id: NotificationId) -> Result<Option<NotificationView>> {
    let ids = [(recipient, id)].into();
    let (found, is_unread) =
        try_join!(Unread::read(app, &ids), notifications::is_unread(app, recipient, id))?;
    match found.only().filter(|_| is_unread) {
        Some(it) if notifications::is_pushed(app, recipient, it.kind).await? => Ok(Some(it)),
        _ => Ok(None),
    }
}

/// Sends a message to a device, and removes the device when it is gone.
async fn send(app: &App, device: &DeviceRow, view: &NotificationView) -> Result<Sent> {
    let sent = try_send(app, device, view).await?;
    if sent == Sent::Gone {
        // It may have been registered again meanwhile, by another session.
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
    Ok(match app.guarded.post(url, headers(view, &token)?, body, LIMITS).await {
        Ok(answer) if answer.status.is_success() => Sent::Done,
        Ok(answer) if matches!(answer.status.as_u16(), 404 | 410) => Sent::Gone,
        Ok(answer) if answer.status.as_u16() == 429 || answer.status.is_server_error() => Sent::Refused,
        Ok(answer) => {
            tracing::warn!(status = answer.status.as_u16(), "a push service refuses a message for good");
            Sent::Done
        }
        Err(Failure::Refused(_)) => Sent::Gone,
        Err(Failure::Unanswered(_)) => Sent::Refused,
    })
}

/// Returns what the device shows: at most 1,000 bytes, and nothing that its user may not see.
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

/// The topic has a push service keep the newest message of a notification only.
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
