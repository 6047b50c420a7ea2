//! Checks presigned requests.

use lambda_http::http::request::Parts;
use sha2::{Digest, Sha256};

use super::refusal::{EXPIRED, FORGED, NOT_SIGNED, Refusal};
use crate::{
    account::REGION,
    clock::Clock,
    signed::{SignedQuery, access_key, header, mac},
};

/// Secret access key of all functions, as in `endpoints::sdk_config`.
pub(crate) const SECRET: &str = "local";

pub(super) fn is_signed(parts: &Parts) -> bool {
    parts.uri.query().is_some_and(|query| query.contains("X-Amz-Signature="))
}

/// Checks the signature, the signed headers and the expiry of a presigned request. Returns the access key ID.
pub(super) fn check<'a>(parts: &'a Parts, clock: &Clock) -> Result<&'a str, Refusal> {
    let query = SignedQuery::parse(parts.uri.query().unwrap_or_default());
    let field = |name: &str| query.get(name).ok_or(NOT_SIGNED);
    let at = field("X-Amz-Date")?;
    let signed_at = jiff::civil::DateTime::strptime("%Y%m%dT%H%M%SZ", at).map_err(|_| NOT_SIGNED)?;
    let signed_at = signed_at.to_zoned(jiff::tz::TimeZone::UTC).map_err(|_| NOT_SIGNED)?.timestamp();
    let lifetime: i64 = field("X-Amz-Expires")?.parse().map_err(|_| NOT_SIGNED)?;
    let expected = signature(parts, &query, at, field("X-Amz-SignedHeaders")?).ok_or(FORGED)?;
    if expected != field("X-Amz-Signature")? {
        return Err(FORGED);
    }
    let age = clock.now().as_second() - signed_at.as_second();
    let caller = field("X-Amz-Credential")?;
    if age > lifetime { Err(EXPIRED) } else { Ok(access_key(caller)) }
}

/// Computes the signature of a request. Returns `None` if a signed header is missing.
fn signature(parts: &Parts, query: &SignedQuery<'_>, at: &str, signed: &str) -> Option<String> {
    let names = signed.replace("%3B", ";");
    let mut headers = String::new();
    for name in names.split(';') {
        headers += &format!("{name}:{}\n", header(&parts.headers, name)?.trim());
    }
    let request = format!(
        "{}\n{}\n{}\n{headers}\n{names}\nUNSIGNED-PAYLOAD",
        parts.method,
        parts.uri.path(),
        query.without("X-Amz-Signature")
    );
    let day = at.get(..8)?;
    let scope = format!("{day}/{REGION}/s3/aws4_request");
    let text = format!("AWS4-HMAC-SHA256\n{at}\n{scope}\n{}", hex::encode(Sha256::digest(request)));
    let start = format!("AWS4{SECRET}").into_bytes();
    let key = [day, REGION, "s3", "aws4_request"].iter().fold(start, |key, part| mac(&key, part));
    Some(hex::encode(mac(&key, &text)))
}
