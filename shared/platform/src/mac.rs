//! Message authentication codes: what nobody can compute without the signing secret.
//!
//! `JWT_SECRET` itself signs tokens. Codes of each other use have a key of their own, which HKDF derives from it
//! under the label of the use: who learns one key can compute nothing of another use. A rotation changes all of them.

use hkdf::Hkdf;
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

    /// Returns the codes under the keys of a label.
    fn macs(&self, label: &str, parts: &[&[u8]]) -> Vec<[u8; 32]> {
        self.all().map(|secret| hmac(&derive(secret, label), parts)).collect()
    }
}

/// Returns the HMAC-SHA256 of `parts`, which are joined by a zero byte, under the key of `label`.
///
/// # Errors
/// Internal, when the function has no key.
pub async fn mac(app: &App, label: &str, parts: &[&[u8]]) -> Result<[u8; 32]> {
    Ok(hmac(&derive(SigningKeys::of(app).await?.current(), label), parts))
}

/// Returns the [`mac`] of now, and those under the previous secrets.
///
/// # Errors
/// Internal, when the function has no key.
pub async fn macs(app: &App, label: &str, parts: &[&[u8]]) -> Result<Vec<[u8; 32]>> {
    Ok(SigningKeys::of(app).await?.macs(label, parts))
}

/// Returns the codes after a rotation that this instance did not know of, for whoever finds nothing
/// under [`macs`].
///
/// # Errors
/// Internal, when the secret cannot be read.
pub async fn renewed_macs(app: &App, label: &str, parts: &[&[u8]]) -> Result<Vec<[u8; 32]>> {
    Ok(SigningKeys::renewed(app).await?.map(|it| it.macs(label, parts)).unwrap_or_default())
}

/// Derives the key of a label. HKDF gives up to 8,160 bytes: 32 cannot fail.
pub(crate) fn derive(secret: &[u8], label: &str) -> [u8; 32] {
    let mut key = [0; 32];
    let filled = Hkdf::<Sha256>::new(None, secret).expand(label.as_bytes(), &mut key);
    debug_assert!(filled.is_ok(), "32 bytes are not too many");
    key
}

/// Returns the HMAC-SHA256 of `parts`, which are joined by a zero byte.
pub(crate) fn hmac(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    // A key of any length is a key: this cannot fail.
    let key = Hmac::<Sha256>::new_from_slice(key);
    key.map(|it| it.chain_update(parts.join(&0)).finalize().into_bytes().into()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_label_has_a_key_of_its_own_and_none_is_the_secret() {
        let secret = b"a secret that has at least 32 bytes";
        let [one, other] = ["one", "other"].map(|label| derive(secret, label));
        assert_ne!(one, other);
        assert_ne!(hmac(&one, &[b"x"]), hmac(secret, &[b"x"]));
        assert_eq!(hex::encode(one), "95e6239302fd394eb715d489cc05010f448a8351805333960e087567c4e484a1");
    }
}
