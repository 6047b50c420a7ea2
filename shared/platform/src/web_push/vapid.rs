//! Signs requests to push services (RFC 8292).

use anyhow::anyhow;
use aws_lc_rs::{
    agreement::{ECDH_P256, PrivateKey},
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair},
};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;

use crate::{
    App,
    error::{Error, Result},
    mac::derive,
    secrets::Versions,
    settings::required,
    time::{HOUR_SECONDS, Time},
};

/// Lifetime of a token. Push services accept at most 24 hours.
const TOKEN_SECONDS: i64 = 12 * HOUR_SECONDS;
/// Maximum number of attempts to derive a key. About one in four billion derived numbers is not a valid key.
const ATTEMPTS: u8 = 8;

/// A P-256 key pair, derived from `OUTBOUND_SECRET`, that signs requests to push services.
///
/// Each browser's subscription belongs to one key. A rotation of the secret changes the key, so browsers must subscribe
/// again. The previous key signs for older subscriptions until the next rotation.
pub struct VapidKey {
    pair: EcdsaKeyPair,
    public: String,
}

impl VapidKey {
    /// Returns the key for new subscriptions.
    pub async fn current(app: &App) -> Result<Self> {
        let secret = required(&app.settings.outbound_secret, "OUTBOUND_SECRET")?;
        Self::of(&app.secrets.of(secret).await?.current)
    }

    /// Returns the key whose public part is `public`, or `None` if no valid version of the secret yields it.
    pub async fn find(app: &App, public: &str) -> Result<Option<Self>> {
        let secret = required(&app.settings.outbound_secret, "OUTBOUND_SECRET")?;
        let matches = |key: &Self| key.public == public;
        if let Some(found) = Self::all(&*app.secrets.of(secret).await?)?.into_iter().find(matches) {
            return Ok(Some(found));
        }
        let renewed = app.secrets.renewed(secret).await?;
        let keys = renewed.map(|versions| Self::all(&versions)).transpose()?.unwrap_or_default();
        Ok(keys.into_iter().find(matches))
    }

    fn all(versions: &Versions) -> Result<Vec<Self>> {
        versions.all().map(Self::of).collect()
    }

    fn of(secret: &SecretString) -> Result<Self> {
        let secret = secret.expose_secret().as_bytes();
        let key = |attempt| Self::try_of(&derive(secret, &format!("web-push-{attempt}")));
        (0..ATTEMPTS).find_map(key).ok_or_else(|| Error::internal(anyhow!("failed to derive a key")))
    }

    fn try_of(private: &[u8; 32]) -> Option<Self> {
        let public = PrivateKey::from_private_key(&ECDH_P256, private).ok()?.compute_public_key().ok()?;
        let signing = &ECDSA_P256_SHA256_FIXED_SIGNING;
        let pair = EcdsaKeyPair::from_private_key_and_public_key(signing, private, public.as_ref()).ok()?;
        Some(Self { pair, public: BASE64_URL_SAFE_NO_PAD.encode(public) })
    }

    /// Returns the public key for browsers, as base64url.
    pub fn public(&self) -> &str {
        &self.public
    }

    /// Returns the value of the header `authorization` for a push service. `audience` is the origin of the push
    /// service. `subject` is the contact URL of the sender.
    pub fn authorization(&self, audience: &str, subject: &str, now: Time) -> Result<String> {
        let expires = now.plus_seconds(TOKEN_SECONDS).seconds();
        let parts = [
            json!({ "typ": "JWT", "alg": "ES256" }),
            json!({ "aud": audience, "exp": expires, "sub": subject }),
        ];
        let signed = parts.map(|part| BASE64_URL_SAFE_NO_PAD.encode(part.to_string())).join(".");
        let signature = self.pair.sign(&SystemRandom::new(), signed.as_bytes());
        let signature = signature.map_err(|_| Error::internal(anyhow!("failed to sign")))?;
        let signature = BASE64_URL_SAFE_NO_PAD.encode(signature);
        Ok(format!("vapid t={signed}.{signature}, k={}", self.public))
    }
}
