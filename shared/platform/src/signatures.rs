//! Verifies the signatures of requests from other services.

use hmac::{Hmac, KeyInit, Mac};
use http::HeaderValue;
use secrecy::{ExposeSecret, SecretString};
use sha2::Sha256;

use crate::{App, Error, Result, Time};

const TOLERANCE_SECONDS: u64 = 300;
/// Maximum number of signatures to check per header. During a rotation, a sender may send one signature per secret.
const SIGNATURES_MAX: usize = 5;
const INVALID_SIGNATURE: Error = Error::Unauthenticated("the signature is not valid");

/// Verifies the header `t=<seconds>,v1=<hexadecimal>[,v1=…]`.
///
/// At least one signature must be the HMAC-SHA256 of `t`, a dot and the body. The key is a valid version of the secret.
/// `t` must be within 300 seconds of the current time.
///
/// # Errors
/// Fails with [`Error::Unauthenticated`] if no signature is valid.
pub async fn verify(
    app: &App,
    secret: &SecretString,
    header: Option<&HeaderValue>,
    body: &[u8],
) -> Result<()> {
    let is_signed = |secret: &SecretString| check(secret, header, body, app.now()).is_ok();
    app.secrets.any_version(secret, is_signed).await?.then_some(()).ok_or(INVALID_SIGNATURE)
}

fn check(secret: &SecretString, header: Option<&HeaderValue>, body: &[u8], now: Time) -> Result<()> {
    let header = header.and_then(|value| value.to_str().ok()).ok_or(INVALID_SIGNATURE)?;
    let fields = || header.split(',').filter_map(|field| field.trim().split_once('='));
    let at = fields().find(|(name, _)| *name == "t").map(|(_, value)| value).ok_or(INVALID_SIGNATURE)?;
    let seconds: i64 = at.parse().map_err(|_| INVALID_SIGNATURE)?;
    if now.seconds().abs_diff(seconds) > TOLERANCE_SECONDS {
        return Err(INVALID_SIGNATURE);
    }
    let key = Hmac::<Sha256>::new_from_slice(secret.expose_secret().as_bytes()).map_err(Error::internal)?;
    let mac = key.chain_update(at).chain_update(".").chain_update(body);
    let mut given = fields().filter(|(name, _)| *name == "v1").take(SIGNATURES_MAX);
    // `verify_slice` compares in constant time, which prevents timing attacks.
    let is_valid = given.any(|(_, signature)| {
        hex::decode(signature).is_ok_and(|bytes| mac.clone().verify_slice(&bytes).is_ok())
    });
    is_valid.then_some(()).ok_or(INVALID_SIGNATURE)
}
