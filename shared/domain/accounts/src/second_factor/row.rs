//! The row of a second factor, and the codes that its seed generates.

use base::UserId;
use people::{User, Username};
use platform::{App, Error, HOUR_SECONDS, Key, Result, Row, Time, sealed};
use serde::{Deserialize, Serialize};
use totp_rs::{Algorithm, Builder, Totp};

use super::code::TotpCode;

/// HKDF label of the key that encrypts seeds.
const LABEL: &str = "totp-seed";
/// Size of a seed. RFC 4226 recommends 160 bits.
const SEED_BYTES: usize = 20;
/// Name under which authenticators show the service.
const ISSUER: &str = "Social network";
/// Codes of the previous and the next time step are also valid, to tolerate inexact clocks.
const SKEW_STEPS: u16 = 1;

/// A user's second factor, possibly not confirmed yet.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SecondFactor {
    pub(super) user: UserId,
    /// The encrypted seed.
    pub(super) seed: String,
    pub(super) begun_at: Time,
    /// The time of the first correct code, or `None` before the first correct code.
    pub(super) confirmed_at: Option<Time>,
    /// The time step of the last used code. Codes of this step and of earlier steps are invalid.
    pub(super) last_step: u64,
    /// Hashes of the unused recovery codes.
    pub(super) recovery: Vec<String>,
    /// The number of wrong codes since the last correct code.
    pub(super) wrong_codes: i64,
    /// The time at which a code was last used.
    pub(crate) used_at: Option<Time>,
}

/// A decrypted seed.
pub(super) struct Seed {
    totp: Totp,
    /// The seed, encrypted with the current secret. `None` if the stored seed already uses the current secret.
    pub(super) resealed: Option<String>,
}

impl SecondFactor {
    /// Returns a new, unconfirmed second factor and its random seed.
    pub(super) async fn begin(app: &App, user: &User) -> Result<(Self, Seed)> {
        let bytes = app.random::<[u8; SEED_BYTES]>().to_vec();
        let seed = sealed::seal(app, LABEL, &user.id.to_string(), &bytes).await?;
        let row = Self {
            user: user.id,
            seed,
            begun_at: app.now(),
            confirmed_at: None,
            last_step: 0,
            recovery: Vec::new(),
            wrong_codes: 0,
            used_at: None,
        };
        Ok((row, Seed { totp: totp(bytes, Some(&user.username))?, resealed: None }))
    }

    /// Decrypts the seed.
    ///
    /// # Errors
    /// Fails with an internal error if neither the current nor the previous secret decrypts the seed.
    pub(super) async fn open(&self, app: &App) -> Result<Seed> {
        let owner = self.user.to_string();
        let opened = sealed::open(app, LABEL, &owner, &self.seed).await?;
        let opened = opened.ok_or_else(|| {
            Error::internal(anyhow::anyhow!("no valid secret decrypts the seed of a second factor"))
        })?;
        let resealed = match opened.is_outdated {
            true => Some(sealed::seal(app, LABEL, &owner, &opened.plain).await?),
            false => None,
        };
        Ok(Seed { totp: totp(opened.plain, None)?, resealed })
    }
}

impl Seed {
    /// Returns the time step of a code, or `None` if the code is not valid now.
    pub(super) fn step_of(&self, code: &TotpCode, now: Time) -> Option<u64> {
        self.totp.check(code.digits(), u64::try_from(now.seconds()).ok()?)
    }

    /// Returns the seed in Base32.
    pub(super) fn text(&self) -> String {
        self.totp.secret().to_base32()
    }

    /// Returns the `otpauth` URL of the seed.
    pub(super) fn url(&self) -> Result<String> {
        self.totp.to_url().map_err(|error| Error::internal(anyhow::anyhow!("otpauth: {error}")))
    }
}

fn totp(seed: Vec<u8>, account: Option<&Username>) -> Result<Totp> {
    let builder = Builder::new().with_algorithm(Algorithm::SHA1).with_skew(SKEW_STEPS).with_secret(seed);
    let account = account.map(Username::to_string).unwrap_or_default();
    let totp = builder.with_account_name(account).with_issuer(Some(ISSUER)).build();
    totp.map_err(|error| Error::internal(anyhow::anyhow!("totp: {error}")))
}

pub(crate) fn key(user: UserId) -> Key {
    Key::new(user.partition(), "TOTP")
}

/// `USER#id / TOTP`, deleted an hour after setup starts unless the second factor is confirmed
impl Row for SecondFactor {
    fn key(&self) -> Key {
        key(self.user)
    }

    fn expires(&self) -> Option<Time> {
        self.confirmed_at.is_none().then(|| self.begun_at.plus_seconds(HOUR_SECONDS))
    }
}
