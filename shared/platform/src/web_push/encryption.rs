//! Encrypts a message for a browser (RFC 8291) in one record (RFC 8188).

use anyhow::anyhow;
use aws_lc_rs::{
    aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey},
    agreement::{ECDH_P256, PrivateKey, UnparsedPublicKey, agree},
};
use hkdf::Hkdf;
use sha2::Sha256;

use super::SubscriptionKeys;
use crate::{
    error::{Error, Result},
    random::random,
};

const SALT_BYTES: usize = 16;
/// Maximum record size, stated in the header of the encrypted body. Each message fits into one record.
const RECORD_BYTES: u32 = 4096;
/// Delimiter byte that marks the last record of a message.
const LAST_RECORD: u8 = 2;

/// Encrypts a message of at most 3,000 bytes with a new key and salt. Returns the body of a request with the header
/// `content-encoding: aes128gcm`.
///
/// # Errors
/// Fails with [`Error::Invalid`] if the browser's public key is not a point of the curve.
pub fn encrypt(keys: &SubscriptionKeys, message: &[u8]) -> Result<Vec<u8>> {
    let key =
        PrivateKey::generate(&ECDH_P256).map_err(|_| Error::internal(anyhow!("failed to generate a key")))?;
    encrypt_with(&key, &random(), keys, message)
        .ok_or_else(|| Error::invalid("keys.p256dh", "must be a point of P-256"))
}

fn encrypt_with(
    key: &PrivateKey,
    salt: &[u8; SALT_BYTES],
    keys: &SubscriptionKeys,
    message: &[u8],
) -> Option<Vec<u8>> {
    let (browser, auth) = (&keys.p256dh.0, &keys.auth.0);
    let public = key.compute_public_key().ok()?;
    let secret =
        agree(key, UnparsedPublicKey::new(&ECDH_P256, browser), (), |secret| Ok(secret.to_vec())).ok()?;
    let info = [b"WebPush: info\0", browser.as_slice(), public.as_ref()].concat();
    let secret: [u8; 32] = derive(auth, &secret, &info)?;
    let content_key: [u8; 16] = derive(salt, &secret, b"Content-Encoding: aes128gcm\0")?;
    let nonce: [u8; 12] = derive(salt, &secret, b"Content-Encoding: nonce\0")?;
    let mut record = [message, &[LAST_RECORD]].concat();
    let cipher = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, &content_key).ok()?);
    // The nonce is unique because the key encrypts only this message.
    let nonce = Nonce::assume_unique_for_key(nonce);
    cipher.seal_in_place_append_tag(nonce, Aad::empty(), &mut record).ok()?;
    let id_bytes = u8::try_from(public.as_ref().len()).ok()?;
    Some([salt, RECORD_BYTES.to_be_bytes().as_slice(), &[id_bytes], public.as_ref(), &record].concat())
}

fn derive<const N: usize>(salt: &[u8], secret: &[u8], info: &[u8]) -> Option<[u8; N]> {
    let mut key = [0; N];
    Hkdf::<Sha256>::new(Some(salt), secret).expand(info, &mut key).ok().map(|()| key)
}

#[cfg(test)]
mod tests {
    use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD as BASE64};

    use super::*;

    /// Uses the example from RFC 8291, section 5 and appendix A.
    #[test]
    fn encryption_matches_the_example_in_the_rfc() {
        let keys = serde_json::json!({
            "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            "auth": "BTBZMqHH6r4Tts7J_aSIgg",
        });
        let keys: SubscriptionKeys = serde_json::from_value(keys).unwrap();
        let key = BASE64.decode("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw").unwrap();
        let key = PrivateKey::from_private_key(&ECDH_P256, &key).unwrap();
        let salt = BASE64.decode("DGv6ra1nlYgDCS1FRnbzlw").unwrap().try_into().unwrap();
        let body = encrypt_with(&key, &salt, &keys, b"When I grow up, I want to be a watermelon").unwrap();
        assert_eq!(
            BASE64.encode(body),
            "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6Tlz\
             AC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
        );
    }

    #[test]
    fn a_browser_key_outside_the_curve_is_refused() {
        let keys = serde_json::json!({ "p256dh": BASE64.encode([4; 65]), "auth": "BTBZMqHH6r4Tts7J_aSIgg" });
        let keys: SubscriptionKeys = serde_json::from_value(keys).unwrap();
        assert!(encrypt(&keys, b"hello").is_err_and(|error| error.is_permanent()));
    }
}
