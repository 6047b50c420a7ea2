//! Limits sign-in attempts, and remembers the IP addresses from which each user signs in.

use base::UserId;
use platform::{
    App, HOUR_SECONDS, Key, RateLimit, Result, Row, Time, Write, mac,
    rate_limit::{FIVE_MINUTES, RateLimitStatus},
};
use serde::{Deserialize, Serialize};

const DAY_SECONDS: i64 = 24 * HOUR_SECONDS;
/// An IP address stays known for 30 days after a sign-in.
const KNOWN_SECONDS: i64 = 30 * DAY_SECONDS;
/// Name of the counter of failed attempts.
const FAILED: &str = "failed";
/// HKDF label of the key that hashes IP addresses. Without a key, a reader of the table could find an address by
/// hashing all possible addresses.
const LABEL: &str = "address";

/// The device that sent a request.
#[derive(Clone, Debug)]
pub struct Device {
    /// The IP address.
    pub address: String,
    /// The header `User-Agent`, or `None` if the request had none.
    pub user_agent: Option<String>,
}

/// Counts a request against two limits. One limit applies to each address. The second limit is named `what` and applies
/// to each pair of an address and a normalized `identifier`.
///
/// # Errors
/// Fails with [`platform::Error::LimitReached`] if the request exceeds one of the limits.
pub async fn count_request(app: &App, device: &Device, what: &'static str, identifier: &str) -> Result<()> {
    let both = count_both(app, device, what, identifier);
    futures::try_join!(count_address(app, device), both).map(drop)
}

/// Counts a registration against the limit on registrations from one address.
///
/// # Errors
/// Fails with [`platform::Error::LimitReached`] if the address exceeds the limit.
pub async fn count_registration(app: &App, device: &Device) -> Result<()> {
    let most = *app.settings.register_limit_per_hour;
    let limit = RateLimit { what: "registrations", most, seconds: HOUR_SECONDS };
    limit.count(app, &device.address).await?.enforce()
}

/// Counts a request against the limit on requests from one address to all public routes.
pub(super) async fn count_address(app: &App, device: &Device) -> Result<()> {
    let most = *app.settings.auth_address_limit_per_5_min;
    let limit = RateLimit { what: "address", most, seconds: FIVE_MINUTES };
    limit.count(app, &device.address).await?.enforce()
}

/// Counts a request against the limit `what` on requests from one address for one account.
pub(super) async fn count_both(app: &App, device: &Device, what: &'static str, account: &str) -> Result<()> {
    let limit = per_account(app, what);
    limit.count(app, &format!("{}#{account}", device.address)).await?.enforce()
}

/// The failed attempts for an account from all addresses. `known_key` is the key of the row [`KnownAddress`] for the
/// address of the request.
pub(super) struct FailedAttempts {
    account: String,
    pub(super) known_key: Key,
}

impl FailedAttempts {
    /// Returns the attempts for `account`. `account` is a user ID or an unknown identifier. For an unknown identifier,
    /// `user` is a random ID.
    pub(super) async fn at(app: &App, account: &str, user: UserId, device: &Device) -> Result<Self> {
        Ok(Self { account: account.to_owned(), known_key: known_key(app, user, device).await? })
    }

    /// Counts an attempt as failed before its outcome is known, so that concurrent attempts are also limited.
    pub(super) async fn count(&self, app: &App) -> Result<RateLimitStatus> {
        per_account(app, FAILED).count(app, &self.account).await
    }

    /// Removes a successful attempt from the count.
    pub(super) async fn take_back(&self, app: &App) -> Result<()> {
        per_account(app, FAILED).count_by(app, &self.account, -1).await.map(drop)
    }

    /// Returns the write that stores the address as known, or `None` if it was already stored within the last day.
    pub(super) fn remember_write(&self, app: &App, known: Option<KnownAddress>) -> Option<Write> {
        let expires = app.now().plus_seconds(KNOWN_SECONDS);
        let is_recent = known.is_some_and(|address| address.expires > expires.plus_seconds(-DAY_SECONDS));
        let Key { pk, sk } = self.known_key.clone();
        (!is_recent).then(|| Write::put(&KnownAddress { pk, sk, expires }))
    }
}

/// Returns the write that stores the known address from which a user registered.
pub(super) async fn remember_write(app: &App, user: UserId, device: &Device) -> Result<Write> {
    let Key { pk, sk } = known_key(app, user, device).await?;
    Ok(Write::put(&KnownAddress { pk, sk, expires: app.now().plus_seconds(KNOWN_SECONDS) }))
}

fn per_account(app: &App, what: &'static str) -> RateLimit {
    RateLimit { what, most: *app.settings.auth_limit_per_5_min, seconds: FIVE_MINUTES }
}

async fn known_key(app: &App, user: UserId, device: &Device) -> Result<Key> {
    let owner = user.to_string();
    let hash = mac::mac(app, LABEL, &[owner.as_bytes(), device.address.as_bytes()]).await?;
    Ok(Key::new(user.partition(), format!("ADDRESS#{}", hex::encode(hash))))
}

/// An IP address from which a user signed in.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct KnownAddress {
    pk: String,
    sk: String,
    expires: Time,
}

impl KnownAddress {
    /// Returns whether the address is still known.
    pub(super) fn is_valid(&self, app: &App) -> bool {
        self.expires > app.now()
    }
}

/// `USER#id / ADDRESS#hash of the address`, deleted 30 days after a sign-in
impl Row for KnownAddress {
    fn key(&self) -> Key {
        Key::new(&self.pk, &self.sk)
    }

    fn expires(&self) -> Option<Time> {
        Some(self.expires)
    }
}
