//! Tries to open an account: how often one may try, and from where its owner is known to come.

use base::ids::UserId;
use platform::{
    App, Result, mac,
    rate_limit::{FIVE_MINUTES, RateLimit, RateLimitStatus},
    table::{Key, Row, Write},
    time::{HOUR_SECONDS, Time},
};
use serde::{Deserialize, Serialize};

const DAY_SECONDS: i64 = 24 * HOUR_SECONDS;
/// How long an address is known from which somebody signed in.
const KNOWN_SECONDS: i64 = 30 * DAY_SECONDS;
/// What failed tries are counted as.
const FAILED: &str = "failed";
/// The label of the key that hashes addresses: without it, somebody who reads the table tries all of them.
const LABEL: &str = "address";

/// Where a request comes from.
#[derive(Clone, Debug)]
pub struct Device {
    /// The network address.
    pub address: String,
    /// The `User-Agent`.
    pub user_agent: Option<String>,
}

/// Counts a request to `what` for `identifier`, in its one spelling: for its address, and for both.
///
/// # Errors
/// [`platform::Error::LimitReached`] over one of the limits.
pub async fn count_request(app: &App, device: &Device, what: &'static str, identifier: &str) -> Result<()> {
    let both = count_both(app, device, what, identifier);
    futures::try_join!(count_address(app, device), both).map(drop)
}

/// Counts a request of an address on any public route.
pub(super) async fn count_address(app: &App, device: &Device) -> Result<()> {
    let most = *app.settings.auth_address_limit_per_5_min;
    let limit = RateLimit { what: "address", most, seconds: FIVE_MINUTES };
    limit.count(app, &device.address).await?.enforce()
}

/// Counts a try of an address at one account.
pub(super) async fn count_both(app: &App, device: &Device, what: &'static str, account: &str) -> Result<()> {
    let limit = per_account(app, what);
    limit.count(app, &format!("{}#{account}", device.address)).await?.enforce()
}

/// The failed tries at an account, from wherever they come, and whether this one comes from a known address.
pub(super) struct FailedTries {
    account: String,
    known_key: Key,
}

impl FailedTries {
    /// Those at an account: at a user, or at an identifier that nobody has; `user` is any id then.
    pub(super) async fn at(app: &App, account: &str, user: UserId, device: &Device) -> Result<Self> {
        Ok(Self { account: account.to_owned(), known_key: known_key(app, user, device).await? })
    }

    /// Returns the key of the row that says whether the address is known.
    pub(super) fn known_key(&self) -> &Key {
        &self.known_key
    }

    /// Counts a try as a failed one, before it is known what it is: tries at the same moment count too.
    pub(super) async fn count(&self, app: &App) -> Result<RateLimitStatus> {
        per_account(app, FAILED).count(app, &self.account).await
    }

    /// Takes back a try that succeeded.
    pub(super) async fn take_back(&self, app: &App) -> Result<()> {
        per_account(app, FAILED).count_by(app, &self.account, -1).await.map(drop)
    }

    /// Returns the write that remembers the address of a sign-in; none where it was remembered within a day.
    pub(super) fn remember_write(&self, app: &App, known: Option<KnownAddress>) -> Option<Write> {
        let expires = app.now().plus_seconds(KNOWN_SECONDS);
        let lately = known.is_some_and(|it| it.expires > expires.plus_seconds(-DAY_SECONDS));
        let Key { pk, sk } = self.known_key.clone();
        (!lately).then(|| Write::put(&KnownAddress { pk, sk, expires }))
    }
}

/// Returns the write that remembers the address from which somebody registered.
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

/// An address from which somebody signed in.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct KnownAddress {
    pk: String,
    sk: String,
    expires: Time,
}

impl KnownAddress {
    /// Whether it is still known.
    pub(super) fn lasts(&self, app: &App) -> bool {
        self.expires > app.now()
    }
}

/// `USER#id / ADDRESS#code of the address`, swept 30 days after a sign-in
impl Row for KnownAddress {
    fn key(&self) -> Key {
        Key::new(&self.pk, &self.sk)
    }

    fn expires(&self) -> Option<Time> {
        Some(self.expires)
    }
}
