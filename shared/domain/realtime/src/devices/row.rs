//! The rows of devices, and of pushes to devices.

use std::collections::HashSet;

use accounts::sessions;
use base::{DeviceId, NotificationId, SessionId, UserId};
use platform::{App, HOUR_SECONDS, Index, Key, Query, Result, Row, Time, web_push::SubscriptionKeys};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

const SORT_KEY_PREFIX: &str = "DEVICE#";
/// Lifetime of a [`Pushed`] row. Push services also keep a message for a day.
const PUSHED_SECONDS: i64 = 24 * HOUR_SECONDS;

/// A browser with a push subscription.
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DeviceRow {
    pub(super) user: UserId,
    pub(super) id: DeviceId,
    /// The session that registered the device.
    pub(super) session: SessionId,
    /// The URL of the push service for this device. The URL is secret, because together with the keys, it allows
    /// sending messages to the device.
    pub(super) endpoint: String,
    pub(super) subscription: SubscriptionKeys,
    /// The service's public key at the time of the subscription.
    pub(super) push_key: String,
    pub(super) created_at: Time,
}

/// The devices to which a state of a notification was pushed.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Pushed {
    pub(super) recipient: UserId,
    pub(super) notification: NotificationId,
    /// The time of the notification's newest event, which identifies the pushed state.
    pub(super) event_at: Time,
    pub(super) devices: Vec<DeviceId>,
    pub(super) at: Time,
}

/// Returns all devices of a user, oldest first.
pub(super) async fn all(app: &App, user: UserId) -> Result<Vec<DeviceRow>> {
    app.table.query(&Query::partition(user.devices()).prefix(SORT_KEY_PREFIX).consistent()).await
}

/// Returns the devices of a user whose sessions have not ended, oldest first.
pub(super) async fn live(app: &App, user: UserId) -> Result<Vec<DeviceRow>> {
    let mut devices = all(app, user).await?;
    let sessions: HashSet<_> = devices.iter().map(|device| device.session).collect();
    let live = sessions::live_among(app, user, &sessions).await?;
    devices.retain(|device| live.contains(&device.session));
    Ok(devices)
}

/// Returns the query for the devices of all users that have this endpoint.
pub(super) fn with_endpoint(endpoint: &str) -> Query {
    Query::index(Index::Gsi1, endpoint_partition(endpoint))
}

pub(super) fn key(user: UserId, device: DeviceId) -> Key {
    Key::new(user.devices(), format!("{SORT_KEY_PREFIX}{device}"))
}

/// Returns the key of a notification's [`Pushed`] row.
pub(super) fn pushed_key(recipient: UserId, notification: NotificationId) -> Key {
    Key::new(recipient.devices(), format!("PUSHED#{notification}"))
}

fn endpoint_partition(endpoint: &str) -> String {
    format!("ENDPOINT#{}", hex::encode(Sha256::digest(endpoint)))
}

/// `DEVICES#user / DEVICE#id`, gsi1 `ENDPOINT#sha256 / id`
impl Row for DeviceRow {
    fn key(&self) -> Key {
        key(self.user, self.id)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        vec![(Index::Gsi1, Key::new(endpoint_partition(&self.endpoint), self.id.to_string()))]
    }
}

/// `DEVICES#user / PUSHED#notification`, expires after a day
impl Row for Pushed {
    fn key(&self) -> Key {
        pushed_key(self.recipient, self.notification)
    }

    fn expires(&self) -> Option<Time> {
        Some(self.at.plus_seconds(PUSHED_SECONDS))
    }
}
