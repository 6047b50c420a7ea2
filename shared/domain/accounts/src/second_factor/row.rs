//! The row of a second factor, and what its seed computes.

use base::ids::UserId;
use people::users::{User, Username};
use platform::{
    App,
    error::{Error, Result},
    sealed,
    table::{Key, Row},
    time::{HOUR_SECONDS, Time},
};
use serde::{Deserialize, Serialize};
use totp_rs::{Algorithm, Builder, Totp};

use super::code::TotpCode;

/// The label of the key that seals seeds.
const LABEL: &str = "totp-seed";
/// As RFC 4226 recommends.
const SEED_BYTES: usize = 20;
/// How authenticators name the service.
const ISSUER: &str = "Social network";
/// Codes of one step before and after the present one count, for clocks that are not exact.
const SKEW_STEPS: u16 = 1;

/// A user's second factor, or one that they have begun to set up.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SecondFactor {
    pub(super) user: UserId,
    /// The seed of the codes, sealed.
    pub(super) seed: String,
    pub(super) begun_at: Time,
    /// None until a code has shown that the authenticator has the seed.
    pub(super) confirmed_at: Option<Time>,
    /// The step of the last code that was used. No code of it or of an earlier one opens anything again.
    pub(super) last_step: u64,
    /// The hashes of the recovery codes that are left.
    pub(super) recovery: Vec<String>,
}

/// A seed in the clear.
pub(super) struct Seed {
    totp: Totp,
    /// The same seed under the present secret, where it was sealed under the one before.
    pub(super) sealed_anew: Option<String>,
}

impl SecondFactor {
    /// Returns a factor with a random seed, and its seed.
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
        };
        Ok((row, Seed { totp: totp(bytes, Some(&user.username))?, sealed_anew: None }))
    }

    /// Returns the seed.
    ///
    /// # Errors
    /// Internal, when no secret of now opens it: it was sealed two rotations ago.
    pub(super) async fn open(&self, app: &App) -> Result<Seed> {
        let owner = self.user.to_string();
        let opened = sealed::open(app, LABEL, &owner, &self.seed).await?;
        let opened = opened.ok_or_else(|| Error::internal(anyhow::anyhow!("a seed does not open")))?;
        let sealed_anew = match opened.is_outdated {
            true => Some(sealed::seal(app, LABEL, &owner, &opened.plain).await?),
            false => None,
        };
        Ok(Seed { totp: totp(opened.plain, None)?, sealed_anew })
    }
}

impl Seed {
    /// Returns the step that a code is of; none for a code that is not of now.
    pub(super) fn step_of(&self, code: &TotpCode, now: Time) -> Option<u64> {
        self.totp.check(code.digits(), u64::try_from(now.seconds()).ok()?)
    }

    /// Returns the seed in base 32, as it is typed into an authenticator.
    pub(super) fn text(&self) -> String {
        self.totp.secret().to_base32()
    }

    /// Returns the address that an authenticator reads the seed from.
    pub(super) fn address(&self) -> Result<String> {
        self.totp.to_url().map_err(|it| Error::internal(anyhow::anyhow!("otpauth: {it}")))
    }
}

fn totp(seed: Vec<u8>, account: Option<&Username>) -> Result<Totp> {
    let builder = Builder::new().with_algorithm(Algorithm::SHA1).with_skew(SKEW_STEPS).with_secret(seed);
    let account = account.map(Username::to_string).unwrap_or_default();
    let totp = builder.with_account_name(account).with_issuer(Some(ISSUER)).build();
    totp.map_err(|it| Error::internal(anyhow::anyhow!("totp: {it}")))
}

/// Returns the key of a user's second factor.
pub(crate) fn key(user: UserId) -> Key {
    Key::new(user.partition(), "TOTP")
}

/// `USER#id / TOTP`, swept an hour after it was begun unless it is confirmed
impl Row for SecondFactor {
    fn key(&self) -> Key {
        key(self.user)
    }

    fn expires(&self) -> Option<Time> {
        self.confirmed_at.is_none().then(|| self.begun_at.plus_seconds(HOUR_SECONDS))
    }
}
