//! HTTP API events in payload format 2.0.

use std::{collections::BTreeMap, net::SocketAddr};

use anyhow::{Result, ensure};
use base64::{Engine, prelude::BASE64_STANDARD};
use bytes::Bytes;
use lambda_http::http::{HeaderMap, request::Parts};
use percent_encoding::percent_decode_str;
use serde_json::json;

use super::{Gateway, Target};
use crate::{account::ACCOUNT, signed::header};

pub(super) fn build(
    gateway: &Gateway,
    target: &Target,
    peer: SocketAddr,
    parts: &Parts,
    body: &Bytes,
    request_id: &str,
) -> Result<String> {
    let path = decoded(parts.uri.path());
    ensure!(path.starts_with('/'), "not a path");
    let now = gateway.clock.now();
    let route_key = target.key();
    let (is_base64_encoded, body) = encode(&parts.headers, body);
    let mut event = json!({
        "version": "2.0",
        "routeKey": route_key,
        "rawPath": path,
        "rawQueryString": parts.uri.query().unwrap_or_default(),
        "headers": headers(&gateway.domain, peer, &parts.headers),
        "pathParameters": target.parameters(&path).into_iter().collect::<BTreeMap<_, _>>(),
        "requestContext": {
            "accountId": ACCOUNT,
            "apiId": "local",
            "domainName": gateway.domain,
            "domainPrefix": "local",
            "http": {
                "method": parts.method.as_str(),
                "path": path,
                "protocol": "HTTP/1.1",
                "sourceIp": peer.ip(),
                "userAgent": header(&parts.headers, "user-agent").unwrap_or_default(),
            },
            "requestId": request_id,
            "routeKey": route_key,
            "stage": "$default",
            "time": now.strftime("%d/%b/%Y:%H:%M:%S +0000").to_string(),
            "timeEpoch": now.as_millisecond(),
        },
        "isBase64Encoded": is_base64_encoded,
    });
    if let Some(cookies) = cookies(&parts.headers) {
        event["cookies"] = json!(cookies);
    }
    if let Some(body) = body {
        event["body"] = body.into();
    }
    Ok(serde_json::to_string(&event)?)
}

/// Percent-decodes a path. Drops everything after a decoded `?`.
fn decoded(path: &str) -> String {
    let path = percent_decode_str(path).decode_utf8_lossy();
    path.split('?').next().unwrap_or_default().to_owned()
}

/// Returns the headers of an event. Repeated headers are joined, and bytes that are not UTF-8 are replaced. The headers
/// of the gateway replace client headers with the same names.
fn headers<'a>(domain: &str, peer: SocketAddr, sent: &'a HeaderMap) -> BTreeMap<&'a str, String> {
    let mut headers = BTreeMap::<&str, String>::new();
    for (name, value) in sent {
        if name != "cookie" {
            let joined = headers.entry(name.as_str()).or_default();
            if !joined.is_empty() {
                joined.push(',');
            }
            joined.push_str(&String::from_utf8_lossy(value.as_bytes()));
        }
    }
    let (_, port) = domain.rsplit_once(':').unwrap_or_default();
    let via = headers.get("x-forwarded-for").map(|via| format!("{via}, ")).unwrap_or_default();
    headers.insert("x-forwarded-for", format!("{via}{}", peer.ip()));
    headers.insert("x-forwarded-port", port.to_owned());
    headers.insert("x-forwarded-proto", "http".to_owned());
    // Replaces the client's header, because a deployed API has only one host name.
    headers.insert("host", domain.to_owned());
    headers
}

fn cookies(headers: &HeaderMap) -> Option<Vec<&str>> {
    let lines = headers.get_all("cookie").iter().filter_map(|line| line.to_str().ok());
    let cookies: Vec<_> =
        lines.flat_map(|line| line.split(';')).map(str::trim).filter(|cookie| !cookie.is_empty()).collect();
    Some(cookies).filter(|cookies| !cookies.is_empty())
}

/// Returns whether the body is encoded as base64, and the body. UTF-8 bodies with a text content type stay text.
fn encode(headers: &HeaderMap, body: &Bytes) -> (bool, Option<String>) {
    if body.is_empty() {
        return (false, None);
    }
    let kind = header(headers, "content-type").unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let plain = kind.starts_with("text/")
        || kind.ends_with("+json")
        || kind.ends_with("+xml")
        || matches!(
            kind.as_str(),
            "application/json"
                | "application/xml"
                | "application/javascript"
                | "application/x-www-form-urlencoded"
        );
    match std::str::from_utf8(body) {
        Ok(text) if plain => (false, Some(text.to_owned())),
        _ => (true, Some(BASE64_STANDARD.encode(body))),
    }
}

#[cfg(test)]
mod tests {
    use lambda_http::http::{HeaderName, HeaderValue};

    use super::*;

    fn sent(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        let pairs = pairs.iter().copied();
        pairs.map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value))).collect()
    }

    #[test]
    fn a_path_is_decoded_and_ends_before_a_decoded_question_mark() {
        assert_eq!(decoded("/hashtags/%23caf%C3%A9%20x/posts"), "/hashtags/#café x/posts");
        assert_eq!(decoded("/hashtags/a%3Fb/posts"), "/hashtags/a");
    }

    #[test]
    fn repeated_headers_are_joined_and_cookies_are_a_list() {
        let mut sent = sent(&[
            ("accept", "a"),
            ("accept", "b"),
            ("cookie", "x=1; y=2"),
            ("cookie", "z=3"),
            ("host", "other"),
            ("x-forwarded-for", "203.0.113.7"),
        ]);
        sent.insert("x-name", HeaderValue::from_bytes("Zoë".as_bytes()).unwrap());
        let headers = headers("api.example.com:3000", ([127, 0, 0, 1], 4000).into(), &sent);
        let header = |name| headers.get(name).map(String::as_str);
        assert_eq!((header("accept"), header("cookie")), (Some("a,b"), None));
        assert_eq!((header("host"), header("x-name")), (Some("api.example.com:3000"), Some("Zoë")));
        assert_eq!(header("x-forwarded-for"), Some("203.0.113.7, 127.0.0.1"));
        assert_eq!(cookies(&sent), Some(vec!["x=1", "y=2", "z=3"]));
        assert_eq!(cookies(&HeaderMap::new()), None);
    }

    #[test]
    fn a_body_that_is_not_text_is_encoded_as_base64() {
        let body =
            |kind, bytes: &'static [u8]| encode(&sent(&[("content-type", kind)]), &Bytes::from_static(bytes));
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(body("application/json; charset=utf-8", b"{}"), (false, text("{}")));
        assert_eq!(body("image/png", b"{}"), (true, text("e30=")));
        assert_eq!(body("text/plain", b"\xff"), (true, text("/w==")));
        assert_eq!(body("text/plain", b""), (false, None));
    }
}
