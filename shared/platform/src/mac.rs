//! Message authentication codes: what nobody can compute without the signing secret.

use hmac::{Hmac, KeyInit, Mac};
use secrecy::{ExposeSecret, SecretString};
use sha2::Sha256;

use crate::{App, Result, secrets::Versions, settings::required};

/// The secrets that sign tokens and codes: the first signs, all verify.
pub struct SigningKeys(Vec<SecretString>);

impl SigningKeys {
    /// Returns the keys of `JWT_SECRET` and of the secret before it.
    ///
    /// # Errors
    /// Internal, when the function has no key.
    pub async fn of(app: &App) -> Result<Self> {
        let secret = required(&app.settings.jwt_secret, "JWT_SECRET")?;
        Self::new(app, &*app.secrets.of(secret).await?).await
    }

    /// Returns the keys after a rotation that this instance did not know of.
    ///
    /// # Errors
    /// Internal, when the secret cannot be read.
    pub async fn renewed(app: &App) -> Result<Option<Self>> {
        let secret = required(&app.settings.jwt_secret, "JWT_SECRET")?;
        match app.secrets.renewed(secret).await? {
            Some(versions) => Self::new(app, &versions).await.map(Some),
            None => Ok(None),
        }
    }

    async fn new(app: &App, versions: &Versions) -> Result<Self> {
        let mut keys: Vec<_> = versions.all().cloned().collect();
        if let Some(secret) = &*app.settings.jwt_secret_previous {
            keys.extend(app.secrets.of(secret).await?.all().cloned());
        }
        Ok(Self(keys))
    }

    /// Returns the key that signs.
    pub fn current(&self) -> &[u8] {
        self.all().next().unwrap_or_default()
    }

    /// Returns the keys that verify, the one that signs first.
    pub fn all(&self) -> impl Iterator<Item = &[u8]> {
        self.0.iter().map(|it| it.expose_secret().as_bytes())
    }

    fn macs(&self, parts: &[&[u8]]) -> Vec<[u8; 32]> {
        self.all().map(|key| hmac(key, parts)).collect()
    }
}

/// Returns the HMAC-SHA256 of `parts`. No token is ever taken for it, nor the reverse: the parts are
/// joined by a byte that no token has.
///
/// # Errors
/// Internal, when the function has no key.
pub async fn mac(app: &App, parts: &[&[u8]]) -> Result<[u8; 32]> {
    Ok(hmac(SigningKeys::of(app).await?.current(), parts))
}

/// Returns the [`mac`] of now, and the one of before the last rotation.
///
/// # Errors
/// Internal, when the function has no key.
pub async fn macs(app: &App, parts: &[&[u8]]) -> Result<Vec<[u8; 32]>> {
    Ok(SigningKeys::of(app).await?.macs(parts))
}

/// Returns the codes after a rotation that this instance did not know of, for whoever finds nothing
/// under [`macs`].
///
/// # Errors
/// Internal, when the secret cannot be read.
pub async fn renewed_macs(app: &App, parts: &[&[u8]]) -> Result<Vec<[u8; 32]>> {
    Ok(SigningKeys::renewed(app).await?.map(|it| it.macs(parts)).unwrap_or_default())
}

fn hmac(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    // A key of any length is a key: this cannot fail.
    let key = Hmac::<Sha256>::new_from_slice(key);
    key.map(|it| it.chain_update(parts.join(&0)).finalize().into_bytes().into()).unwrap_or_default()
}
