//! Verifies the signatures of services that call without signing in.

use hmac::{Hmac, KeyInit, Mac};
use http::HeaderValue;
use secrecy::{ExposeSecret, SecretString};
use sha2::Sha256;

use crate::{
    App,
    error::{Error, Result},
    time::Time,
};

const TOLERANCE_SECONDS: u64 = 300;
/// The most signatures of a header that are checked: one for each secret during a rotation.
const SIGNATURES_MAX: usize = 5;
const UNSIGNED: Error = Error::Unauthenticated("the signature is not valid");

/// Verifies the header `t=<seconds>,v1=<hexadecimal>[,v1=…]`: the HMAC-SHA256 of `t.body`, at most 300 seconds
/// old, under a valid version of the secret.
///
/// # Errors
/// [`Error::Unauthenticated`] for any other header.
pub async fn verify(
    app: &App,
    secret: &SecretString,
    header: Option<&HeaderValue>,
    body: &[u8],
) -> Result<()> {
    let signed = |secret: &SecretString| check(secret, header, body, app.now()).is_ok();
    app.secrets.any(secret, signed).await?.then_some(()).ok_or(UNSIGNED)
}

fn check(secret: &SecretString, header: Option<&HeaderValue>, body: &[u8], now: Time) -> Result<()> {
    let header = header.and_then(|it| it.to_str().ok()).ok_or(UNSIGNED)?;
    let fields = || header.split(',').filter_map(|it| it.trim().split_once('='));
    let at = fields().find(|(name, _)| *name == "t").map(|(_, value)| value).ok_or(UNSIGNED)?;
    let seconds: i64 = at.parse().map_err(|_| UNSIGNED)?;
    if now.seconds().abs_diff(seconds) > TOLERANCE_SECONDS {
        return Err(UNSIGNED);
    }
    let key = Hmac::<Sha256>::new_from_slice(secret.expose_secret().as_bytes()).map_err(Error::internal)?;
    let mac = key.chain_update(at).chain_update(".").chain_update(body);
    let mut given = fields().filter(|(name, _)| *name == "v1").take(SIGNATURES_MAX);
    // `verify_slice` takes the same time wherever the two differ, so that its time tells nothing.
    let valid = given.any(|(_, it)| hex::decode(it).is_ok_and(|it| mac.clone().verify_slice(&it).is_ok()));
    valid.then_some(()).ok_or(UNSIGNED)
}
