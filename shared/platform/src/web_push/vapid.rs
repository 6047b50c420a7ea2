//! The key with which we sign what we send to push services: RFC 8292.

use anyhow::anyhow;
use aws_lc_rs::{
    agreement::{ECDH_P256, PrivateKey},
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair},
};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use secrecy::ExposeSecret;
use serde_json::json;

use crate::{
    App,
    error::{Error, Result},
    mac::derive,
    secrets::Versions,
    settings::required,
    time::{HOUR_SECONDS, Time},
};

/// A token is good for so long; a push service takes at most 24 hours.
const TOKEN_SECONDS: i64 = 12 * HOUR_SECONDS;
/// About one in four billion numbers is no key of P-256.
const TRIES: u8 = 8;

/// A key of P-256 that is derived from `INTERNAL_SECRET`. A browser subscribes to it, so a rotation of the secret has each
/// browser subscribe again; until the secret of before is forgotten, it still signs for those that did not.
pub struct VapidKey {
    pair: EcdsaKeyPair,
    public: String,
}

impl VapidKey {
    /// Returns the key that browsers subscribe to.
    ///
    /// # Errors
    /// Internal, when the function has no secret.
    pub async fn current(app: &App) -> Result<Self> {
        let keys =
            Self::all(&*app.secrets.of(required(&app.settings.internal_secret, "INTERNAL_SECRET")?).await?)?;
        keys.into_iter().next().ok_or_else(|| Error::internal(anyhow!("there is no key")))
    }

    /// Returns the key to which a browser has subscribed; none when it is no longer known.
    ///
    /// # Errors
    /// Internal, when the function has no secret.
    pub async fn find(app: &App, public: &str) -> Result<Option<Self>> {
        let secret = required(&app.settings.internal_secret, "INTERNAL_SECRET")?;
        let is_it = |it: &Self| it.public == public;
        if let Some(found) = Self::all(&*app.secrets.of(secret).await?)?.into_iter().find(is_it) {
            return Ok(Some(found));
        }
        let renewed = app.secrets.renewed(secret).await?;
        let keys = renewed.map(|it| Self::all(&it)).transpose()?.unwrap_or_default();
        Ok(keys.into_iter().find(is_it))
    }

    fn all(versions: &Versions) -> Result<Vec<Self>> {
        let key =
            |secret: &[u8]| Self::of(secret).ok_or_else(|| Error::internal(anyhow!("no secret gives a key")));
        versions.all().map(|it| key(it.expose_secret().as_bytes())).collect()
    }

    fn of(secret: &[u8]) -> Option<Self> {
        (0..TRIES).find_map(|it| Self::try_of(&derive(secret, &format!("web-push-{it}"))))
    }

    fn try_of(private: &[u8; 32]) -> Option<Self> {
        let public = PrivateKey::from_private_key(&ECDH_P256, private).ok()?.compute_public_key().ok()?;
        let signing = &ECDSA_P256_SHA256_FIXED_SIGNING;
        let pair = EcdsaKeyPair::from_private_key_and_public_key(signing, private, public.as_ref()).ok()?;
        Some(Self { pair, public: BASE64_URL_SAFE_NO_PAD.encode(public) })
    }

    /// Returns the public key, as a browser takes it: base64url.
    pub fn public(&self) -> &str {
        &self.public
    }

    /// Returns the header `authorization` for a push service. `audience` is its origin, and `subject` says who sends.
    ///
    /// # Errors
    /// Internal, when nothing can be signed.
    pub fn authorization(&self, audience: &str, subject: &str, now: Time) -> Result<String> {
        let expires = now.plus_seconds(TOKEN_SECONDS).seconds();
        let parts = [
            json!({ "typ": "JWT", "alg": "ES256" }),
            json!({ "aud": audience, "exp": expires, "sub": subject }),
        ];
        let signed = parts.map(|it| BASE64_URL_SAFE_NO_PAD.encode(it.to_string())).join(".");
        let signature = self.pair.sign(&SystemRandom::new(), signed.as_bytes());
        let signature = signature.map_err(|_| Error::internal(anyhow!("nothing is signed")))?;
        let signature = BASE64_URL_SAFE_NO_PAD.encode(signature);
        Ok(format!("vapid t={signed}.{signature}, k={}", self.public))
    }
}
