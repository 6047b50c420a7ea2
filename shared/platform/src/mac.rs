//! Message authentication codes, keyed with the signing secret.
//!
//! `JWT_SECRET` itself signs tokens. For other uses, HKDF derives keys from the secret, one for each label. So a leaked
//! derived key affects only one use. A rotation of the secret changes all keys.

use hkdf::Hkdf;
use hmac::{Hmac, KeyInit, Mac};
use secrecy::{ExposeSecret, SecretString};
use sha2::Sha256;

use crate::{App, Result, secrets::Versions, settings::required};

/// The valid versions of the signing secret. The first version signs, and all versions verify.
pub struct SigningKeys(Vec<SecretString>);

impl SigningKeys {
    /// Returns the valid versions of `JWT_SECRET`, then those of `JWT_SECRET_PREVIOUS`.
    pub async fn of(app: &App) -> Result<Self> {
        let secret = required(&app.settings.jwt_secret, "JWT_SECRET")?;
        Self::new(app, &*app.secrets.of(secret).await?).await
    }

    /// Reads `JWT_SECRET` again after a possible rotation. Returns `None` if the previous call was less than five
    /// seconds ago.
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

    /// Returns all valid keys. The first key signs, and all keys verify.
    pub fn all(&self) -> impl Iterator<Item = &[u8]> {
        self.0.iter().map(|secret| secret.expose_secret().as_bytes())
    }

    fn macs(&self, label: &str, parts: &[&[u8]]) -> Vec<[u8; 32]> {
        self.all().map(|secret| hmac(&derive(secret, label), parts)).collect()
    }
}

/// Joins `parts` with zero bytes, and returns their HMAC-SHA256 under the current key for `label`.
pub async fn mac(app: &App, label: &str, parts: &[&[u8]]) -> Result<[u8; 32]> {
    Ok(hmac(&derive(SigningKeys::of(app).await?.current(), label), parts))
}

/// Returns the [`mac`] under the current secret, followed by the MACs under the previous secrets.
pub async fn macs(app: &App, label: &str, parts: &[&[u8]]) -> Result<Vec<[u8; 32]>> {
    Ok(SigningKeys::of(app).await?.macs(label, parts))
}

/// Reads the signing secret again, and returns the new [`macs`]. Use this function if no earlier MAC matches. Returns
/// an empty list if the previous call was less than five seconds ago.
pub async fn renewed_macs(app: &App, label: &str, parts: &[&[u8]]) -> Result<Vec<[u8; 32]>> {
    Ok(SigningKeys::renewed(app).await?.map(|keys| keys.macs(label, parts)).unwrap_or_default())
}

/// Returns the [`mac`] with a valid secret that `matches` accepts, or `None`. If `matches` accepts no MAC, reads the
/// signing secret again, and tries the new MACs.
pub async fn matching_mac(
    app: &App,
    label: &str,
    parts: &[&[u8]],
    matches: impl Fn(&[u8; 32]) -> bool,
) -> Result<Option<[u8; 32]>> {
    if let Some(known) = macs(app, label, parts).await?.into_iter().find(&matches) {
        return Ok(Some(known));
    }
    Ok(renewed_macs(app, label, parts).await?.into_iter().find(matches))
}

pub(crate) fn derive(secret: &[u8], label: &str) -> [u8; 32] {
    let mut key = [0; 32];
    let expanded = Hkdf::<Sha256>::new(None, secret).expand(label.as_bytes(), &mut key);
    debug_assert!(expanded.is_ok(), "HKDF yields up to 8,160 bytes");
    key
}

/// Joins `parts` with zero bytes, and returns their HMAC-SHA256 under `key`.
pub(crate) fn hmac(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    // Never fails, because HMAC accepts keys of any length.
    let mac = Hmac::<Sha256>::new_from_slice(key);
    mac.map(|mac| mac.chain_update(parts.join(&0)).finalize().into_bytes().into()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_label_has_its_own_key() {
        let secret = b"a secret that has at least 32 bytes";
        let [one, other] = ["one", "other"].map(|label| derive(secret, label));
        assert_ne!(one, other);
        assert_ne!(hmac(&one, &[b"x"]), hmac(secret, &[b"x"]));
        assert_eq!(hex::encode(one), "95e6239302fd394eb715d489cc05010f448a8351805333960e087567c4e484a1");
    }
}
