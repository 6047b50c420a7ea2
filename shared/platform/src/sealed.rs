//! Encrypts stored texts with a key that is derived from `JWT_SECRET`.
//!
//! Uses AES-256-GCM with a random nonce. The owner's ID is authenticated, so an encrypted text cannot be moved to a
//! different owner.

use anyhow::anyhow;
use aws_lc_rs::aead::{AES_256_GCM, Aad, NONCE_LEN, Nonce, RandomizedNonceKey};
use base64::{Engine, prelude::BASE64_STANDARD_NO_PAD};

use crate::{
    App, Error, Result,
    mac::{SigningKeys, derive},
};

/// A decrypted text.
pub struct Opened {
    /// The plain text.
    pub plain: Vec<u8>,
    /// Whether a previous secret encrypted the text. If so, the next rotation makes the encrypted text unreadable.
    pub is_outdated: bool,
}

/// Encrypts a text for `owner` with the key for `label`.
pub async fn seal(app: &App, label: &str, owner: &str, plain: &[u8]) -> Result<String> {
    let keys = SigningKeys::of(app).await?;
    seal_under(keys.current(), label, owner, plain)
        .ok_or_else(|| Error::internal(anyhow!("failed to encrypt")))
}

/// Decrypts a text that was encrypted for `owner` and `label`. Returns `None` if no valid secret decrypts the text.
pub async fn open(app: &App, label: &str, owner: &str, sealed: &str) -> Result<Option<Opened>> {
    if let Some(opened) = open_with(&SigningKeys::of(app).await?, label, owner, sealed) {
        return Ok(Some(opened));
    }
    let renewed = SigningKeys::renewed(app).await?;
    Ok(renewed.and_then(|keys| open_with(&keys, label, owner, sealed)))
}

fn open_with(keys: &SigningKeys, label: &str, owner: &str, sealed: &str) -> Option<Opened> {
    let mut opened = keys.all().map(|secret| open_under(secret, label, owner, sealed)).enumerate();
    opened.find_map(|(age, plain)| Some(Opened { plain: plain?, is_outdated: age > 0 }))
}

fn seal_under(secret: &[u8], label: &str, owner: &str, plain: &[u8]) -> Option<String> {
    let mut sealed = plain.to_vec();
    let nonce =
        key(secret, label)?.seal_in_place_append_tag(Aad::from(owner.as_bytes()), &mut sealed).ok()?;
    Some(BASE64_STANDARD_NO_PAD.encode([nonce.as_ref().as_slice(), &sealed].concat()))
}

fn open_under(secret: &[u8], label: &str, owner: &str, sealed: &str) -> Option<Vec<u8>> {
    let bytes = BASE64_STANDARD_NO_PAD.decode(sealed).ok()?;
    let (nonce, sealed) = bytes.split_at_checked(NONCE_LEN)?;
    let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
    let mut sealed = sealed.to_vec();
    let plain = key(secret, label)?.open_in_place(nonce, Aad::from(owner.as_bytes()), &mut sealed).ok()?;
    Some(plain.to_vec())
}

fn key(secret: &[u8], label: &str) -> Option<RandomizedNonceKey> {
    RandomizedNonceKey::new(&AES_256_GCM, &derive(secret, label)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &[u8] = b"a secret that has at least 32 bytes";

    #[test]
    fn a_text_can_be_decrypted_only_for_its_owner_and_label() {
        let sealed = seal_under(SECRET, "one", "ann", b"seed").unwrap();
        assert_eq!(open_under(SECRET, "one", "ann", &sealed).as_deref(), Some(b"seed".as_slice()));
        assert_eq!(open_under(SECRET, "one", "bob", &sealed), None);
        assert_eq!(open_under(SECRET, "other", "ann", &sealed), None);
        assert_eq!(open_under(b"another secret that has 32 bytes", "one", "ann", &sealed), None);
        assert_ne!(seal_under(SECRET, "one", "ann", b"seed").unwrap(), sealed, "the nonces are equal");
    }

    #[test]
    fn a_changed_ciphertext_cannot_be_decrypted() {
        let sealed = seal_under(SECRET, "one", "ann", b"seed").unwrap();
        let changed = sealed.replacen(|_| true, if sealed.starts_with('A') { "B" } else { "A" }, 1);
        for broken in [changed.as_str(), &sealed[..12], "", "no base64!"] {
            assert_eq!(open_under(SECRET, "one", "ann", broken), None, "{broken}");
        }
    }
}
