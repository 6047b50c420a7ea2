//! Registers, lists and removes devices.

use base::{DeviceId, SessionId, UserId};
use people::users;
use platform::{
    App, Error, Once, Page, Result, Row, Time, Write,
    web_push::{self, SubscriptionKeys, VapidKey},
};
use serde::{Deserialize, Serialize};
use url::Url;
use utoipa::ToSchema;

use super::row::{DeviceRow, all, key, live, with_endpoint};

/// Maximum number of devices per user. Beyond this maximum, a new device replaces the oldest device.
const DEVICES_MAX: usize = 20;
/// Maximum number of rows that are read for an endpoint. More than one row exists only after concurrent registrations
/// of the same endpoint.
const SAME_MAX: usize = 10;

/// The way in which a device is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = DevicePlatform)]
pub enum Platform {
    /// Through the push service of a browser.
    Web,
}

/// A new device: a browser's `PushSubscription`.
#[derive(Clone, Deserialize, ToSchema)]
#[schema(as = PushDeviceDraft)]
pub struct DeviceDraft {
    /// How the device is reached.
    pub platform: Platform,
    /// The URL of the push service for this device. Must be a public https URL.
    #[schema(max_length = 2048)]
    pub endpoint: String,
    /// The keys of the subscription.
    pub keys: SubscriptionKeys,
    /// The expiration time in a browser's `PushSubscription`. This field is ignored, because the push service reports
    /// when a subscription has ended.
    #[serde(rename = "expirationTime")]
    #[schema(required = false)]
    pub expiration_time: Option<f64>,
}

/// A registered device.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PushDevice)]
pub struct Device {
    /// The device's ID.
    pub id: DeviceId,
    /// How the device is reached.
    pub platform: Platform,
    /// The host of the device's push service.
    #[schema(example = "updates.push.services.mozilla.com")]
    pub push_service: String,
    /// Whether the session of this request registered the device.
    pub is_current: bool,
    /// The time at which the device was first registered.
    pub created_at: Time,
}

/// The public key that browsers use to subscribe.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PushKey {
    /// The `applicationServerKey`: an uncompressed point on the curve P-256, encoded as base64url.
    pub key: String,
}

/// The user and the session that register a device.
#[derive(Clone, Copy, Debug)]
pub struct Owner {
    /// The user who registers the device.
    pub user: UserId,
    /// The session. The device receives pushes until the session ends.
    pub session: SessionId,
}

/// Returns the key that browsers use to subscribe.
///
/// # Errors
/// Fails with an internal error if no secret for push keys is configured.
pub async fn push_key(app: &App) -> Result<PushKey> {
    Ok(PushKey { key: VapidKey::current(app).await?.public().to_owned() })
}

/// Registers a device. The endpoint identifies the device. The device belongs to the user who last registered it.
///
/// # Errors
/// Fails with [`Error::Invalid`] if the endpoint is not a public https URL, or a key is invalid.
pub async fn register(app: &App, once: &Once, owner: Owner, draft: DeviceDraft) -> Result<Device> {
    app.guarded.parse("endpoint", &draft.endpoint)?;
    // Encrypts an empty message to reject keys that cannot be used for encryption. The message is not sent.
    web_push::encrypt(&draft.keys, &[])?;
    let key = VapidKey::current(app).await?.public().to_owned();
    once.run(app, owner.user, async || writes(app, owner, draft.clone(), key.clone()).await).await
}

async fn writes(
    app: &App,
    owner: Owner,
    draft: DeviceDraft,
    push_key: String,
) -> Result<(Vec<Write>, Device)> {
    let Owner { user, session } = owner;
    let same = with_endpoint(&draft.endpoint).limit(SAME_MAX);
    let (own, same) = futures::try_join!(all(app, user), app.table.query::<DeviceRow>(&same))?;
    let (before, others): (Vec<_>, Vec<_>) = own.iter().partition(|device| device.endpoint == draft.endpoint);
    let now = app.now();
    let (id, created_at) =
        before.first().map_or_else(|| (app.ids.next(now), now), |device| (device.id, device.created_at));
    let DeviceDraft { endpoint, keys: subscription, .. } = draft;
    let row = DeviceRow { user, id, session, endpoint, subscription, push_key, created_at };
    let surplus =
        others.iter().take((others.len() + 1).saturating_sub(DEVICES_MAX)).map(|device| device.key());
    let of_others = same.iter().filter(|device| device.user != user).map(Row::key);
    let deletes = surplus.chain(of_others).map(|key| Write::delete(key).into());
    // Notifications are pushed only to users with this attribute.
    let mark = Write::update(users::key(user)).set("hasDevices", true).exists().or(Error::NotFound("user"));
    let mark = own.is_empty().then_some(mark);
    Ok(([Write::put(&row)].into_iter().chain(deletes).chain(mark).collect(), Device::of(&row, session)))
}

/// Returns a user's devices, oldest first.
pub async fn list(app: &App, owner: Owner) -> Result<Page<Device>> {
    let devices = live(app, owner.user).await?;
    Ok(Page { rows: devices.iter().map(|device| Device::of(device, owner.session)).collect(), after: None })
}

/// Removes a device.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the user has no such device.
pub async fn remove(app: &App, user: UserId, device: DeviceId, once: &Once) -> Result<()> {
    let delete = || Write::delete(key(user, device)).exists().or(Error::NotFound("device"));
    once.run(app, user, async || Ok((vec![delete().into()], ()))).await
}

impl Device {
    fn of(row: &DeviceRow, session: SessionId) -> Self {
        let url = Url::parse(&row.endpoint).ok();
        let push_service = url.and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default();
        let is_current = row.session == session;
        Self { id: row.id, platform: Platform::Web, push_service, is_current, created_at: row.created_at }
    }
}
