//! Checks presigned requests.

use std::collections::BTreeMap;

use hmac::{Hmac, KeyInit, Mac};
use lambda_http::http::{HeaderMap, request::Parts};
use sha2::{Digest, Sha256};

use super::refusal::{EXPIRED, FORGED, NOT_SIGNED, Refusal};
use crate::{account::REGION, clock::Clock};

/// Secret access key of all functions, as in `endpoints::sdk_config`.
pub(crate) const SECRET: &str = "local";

/// Returns whether a request has a signature.
pub(super) fn is_signed(parts: &Parts) -> bool {
    parts.uri.query().is_some_and(|it| it.contains("X-Amz-Signature="))
}

/// Checks the signature, the signed headers and the expiry of a presigned request. Returns the access key ID.
pub(super) fn check<'a>(parts: &'a Parts, clock: &Clock) -> Result<&'a str, Refusal> {
    let query = parts.uri.query().unwrap_or_default();
    let pairs: BTreeMap<&str, &str> = query.split('&').filter_map(|it| it.split_once('=')).collect();
    let field = |name: &str| pairs.get(name).copied().ok_or(NOT_SIGNED);
    let at = field("X-Amz-Date")?;
    let signed_at = jiff::civil::DateTime::strptime("%Y%m%dT%H%M%SZ", at).map_err(|_| NOT_SIGNED)?;
    let signed_at = signed_at.to_zoned(jiff::tz::TimeZone::UTC).map_err(|_| NOT_SIGNED)?.timestamp();
    let lifetime: i64 = field("X-Amz-Expires")?.parse().map_err(|_| NOT_SIGNED)?;
    let expected = signature(parts, &pairs, at, field("X-Amz-SignedHeaders")?).ok_or(FORGED)?;
    if expected != field("X-Amz-Signature")? {
        return Err(FORGED);
    }
    let age = clock.now().as_second() - signed_at.as_second();
    let caller = field("X-Amz-Credential")?;
    let is_end = |letter: char| !letter.is_ascii_alphanumeric();
    if age > lifetime { Err(EXPIRED) } else { Ok(caller.split(is_end).next().unwrap_or_default()) }
}

/// Computes the signature of a request. Returns `None` if a signed header is missing.
fn signature(parts: &Parts, pairs: &BTreeMap<&str, &str>, at: &str, signed: &str) -> Option<String> {
    let unsigned = pairs.iter().filter(|(name, _)| **name != "X-Amz-Signature");
    let query: Vec<_> = unsigned.map(|(name, value)| format!("{name}={value}")).collect();
    let names = signed.replace("%3B", ";");
    let mut headers = String::new();
    for name in names.split(';') {
        headers += &format!("{name}:{}\n", header(&parts.headers, name)?.trim());
    }
    let request = format!(
        "{}\n{}\n{}\n{headers}\n{names}\nUNSIGNED-PAYLOAD",
        parts.method,
        parts.uri.path(),
        query.join("&")
    );
    let day = at.get(..8)?;
    let scope = format!("{day}/{REGION}/s3/aws4_request");
    let text = format!("AWS4-HMAC-SHA256\n{at}\n{scope}\n{}", hex::encode(Sha256::digest(request)));
    let start = format!("AWS4{SECRET}").into_bytes();
    let key = [day, REGION, "s3", "aws4_request"].iter().try_fold(start, |key, part| mac(&key, part))?;
    Some(hex::encode(mac(&key, &text)?))
}

fn mac(key: &[u8], text: &str) -> Option<Vec<u8>> {
    let key = Hmac::<Sha256>::new_from_slice(key).ok()?;
    Some(key.chain_update(text).finalize().into_bytes().to_vec())
}

pub(super) fn header<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}
