//! Registering a device, listing devices, removing one.

use base::ids::{DeviceId, SessionId, UserId};
use people::users;
use platform::{
    App, Result,
    decode::Object,
    error::Error,
    idempotency::Once,
    page::Page,
    retry_on_conflict,
    table::{Row, Write},
    time::Time,
    web_push::{self, SubscriptionKeys, VapidKey},
};
use serde::{Deserialize, Serialize};
use url::Url;
use utoipa::ToSchema;

use super::row::{DeviceRow, all, key, live, with_endpoint};

/// The devices of a user: the oldest leaves for another.
const DEVICES_MAX: usize = 20;
/// The rows that are read of those who have the same address: one, but for two who register it at once.
const SAME_MAX: usize = 10;

/// How a device is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = DevicePlatform)]
pub enum Platform {
    /// By the push service of a browser.
    Web,
}

/// A device to be registered: a browser's `PushSubscription`.
#[derive(Clone, Deserialize, ToSchema)]
pub struct DeviceDraft {
    /// How it is reached.
    pub platform: Platform,
    /// Where its push service takes messages: an https address of the public internet.
    #[schema(max_length = 2048)]
    pub endpoint: String,
    /// The keys of the subscription.
    #[schema(value_type = SubscriptionKeys)]
    pub keys: Object<SubscriptionKeys>,
    /// A part of a browser's `PushSubscription`. It changes nothing: a service says itself when a subscription has ended.
    #[serde(rename = "expirationTime")]
    #[schema(required = false)]
    pub expiration_time: Option<f64>,
}

/// A device, as its user sees it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PushDevice)]
pub struct Device {
    /// The device's id.
    pub id: DeviceId,
    /// How it is reached.
    pub platform: Platform,
    /// The host of its push service.
    #[schema(example = "updates.push.services.mozilla.com")]
    pub push_service: String,
    /// Whether the session of this request registered it.
    pub is_current: bool,
    /// The time at which it was registered first.
    pub created_at: Time,
}

/// The public key to which a browser subscribes.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PushKey {
    /// The `applicationServerKey`: a point of P-256, uncompressed, as base64url.
    pub key: String,
}

/// Who registers a device.
#[derive(Clone, Copy, Debug)]
pub struct Owner {
    /// The user.
    pub user: UserId,
    /// The session, with which the device ends.
    pub session: SessionId,
}

/// Returns the key to which browsers subscribe.
///
/// # Errors
/// Internal, when the function has no secret.
pub async fn push_key(app: &App) -> Result<PushKey> {
    Ok(PushKey { key: VapidKey::current(app).await?.public().to_owned() })
}

/// Registers a device. The same address is the same device: whoever registers it last has it.
///
/// # Errors
/// [`Error::Invalid`] for an address that is not one of the public internet, and for a key that is none.
pub async fn register(app: &App, once: &Once, owner: Owner, draft: DeviceDraft) -> Result<Device> {
    app.guarded.parse("endpoint", &draft.endpoint)?;
    // Nothing is sent: this finds keys that nothing can be encrypted for.
    web_push::encrypt(&draft.keys.0, &[])?;
    let key = VapidKey::current(app).await?.public().to_owned();
    retry_on_conflict(async || {
        once.run(app, owner.user, writes(app, owner, draft.clone(), key.clone())).await
    })
    .await
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
    let (before, others): (Vec<_>, Vec<_>) = own.iter().partition(|it| it.endpoint == draft.endpoint);
    let now = app.now();
    let (id, created_at) =
        before.first().map_or_else(|| (app.ids.next(now), now), |it| (it.id, it.created_at));
    let DeviceDraft { endpoint, keys: Object(subscription), .. } = draft;
    let row = DeviceRow { user, id, session, endpoint, subscription, push_key, created_at };
    let surplus = others.iter().take((others.len() + 1).saturating_sub(DEVICES_MAX)).map(|it| it.key());
    let elsewhere = same.iter().filter(|it| it.user != user).map(Row::key);
    let leave = surplus.chain(elsewhere).map(|it| Write::delete(it).into());
    // Whoever flushes a notification has it pushed for those only who have devices.
    let mark = Write::update(users::key(user)).set("hasDevices", true).exists().or(Error::NotFound("user"));
    let mark = own.is_empty().then_some(mark);
    Ok(([Write::put(&row)].into_iter().chain(leave).chain(mark).collect(), Device::of(&row, session)))
}

/// Returns a user's devices, the oldest first.
pub async fn list(app: &App, owner: Owner) -> Result<Page<Device>> {
    let devices = live(app, owner.user).await?;
    Ok(Page { rows: devices.iter().map(|it| Device::of(it, owner.session)).collect(), after: None })
}

/// Removes a device.
///
/// # Errors
/// [`Error::NotFound`] when the user has no such device.
pub async fn remove(app: &App, user: UserId, device: DeviceId) -> Result<()> {
    app.table.write(Write::delete(key(user, device)).exists().or(Error::NotFound("device"))).await
}

impl Device {
    fn of(row: &DeviceRow, session: SessionId) -> Self {
        let url = Url::parse(&row.endpoint).ok();
        let push_service = url.and_then(|it| it.host_str().map(str::to_owned)).unwrap_or_default();
        let is_current = row.session == session;
        Self { id: row.id, platform: Platform::Web, push_service, is_current, created_at: row.created_at }
    }
}
