//! The bucket: takes a PUT that was signed for it, and gives to everybody.

use std::{collections::BTreeMap, io::ErrorKind, path::Path, sync::Arc};

use axum::{
    body::{Body, to_bytes},
    extract::Request,
    response::{IntoResponse, Response},
};
use hmac::{Hmac, KeyInit, Mac};
use lambda_http::http::{HeaderMap, Method, StatusCode, request::Parts};
use sha2::{Digest, Sha256};

use crate::{
    aws::REGION,
    clock::Clock,
    shelf::{Object, Shelf},
};

/// The secret of `endpoints::sdk_config`.
pub(crate) const SECRET: &str = "local";
const OBJECT_MAX_BYTES: usize = 256 * 1024 * 1024;

/// The prefix of what only those read who were given a signed address.
const PRIVATE: &str = "/exports/";

/// A refusal: status, code, message.
type Refusal = (StatusCode, &'static str, &'static str);

const NOT_SIGNED: Refusal = (StatusCode::FORBIDDEN, "AccessDenied", "Access Denied");
const EXPIRED: Refusal = (StatusCode::FORBIDDEN, "AccessDenied", "Request has expired");
const FORGED: Refusal =
    (StatusCode::FORBIDDEN, "SignatureDoesNotMatch", "The request signature we calculated does not match");
const NO_KEY: Refusal = (StatusCode::NOT_FOUND, "NoSuchKey", "The specified key does not exist.");
const TOO_LARGE: Refusal =
    (StatusCode::BAD_REQUEST, "EntityTooLarge", "Your proposed upload exceeds the maximum allowed size");
const IS_THERE: Refusal = (
    StatusCode::PRECONDITION_FAILED,
    "PreconditionFailed",
    "At least one of the pre-conditions you specified did not hold",
);
const NOT_KEPT: Refusal = (
    StatusCode::INTERNAL_SERVER_ERROR,
    "InternalError",
    "We encountered an internal error. Please try again.",
);
const NO_METHOD: Refusal =
    (StatusCode::METHOD_NOT_ALLOWED, "MethodNotAllowed", "The method is not allowed against this resource.");

/// The buckets of the template. Objects are kept in a directory or, where there is none, in memory.
#[derive(Clone)]
pub(crate) struct Objects {
    buckets: Arc<[String]>,
    clock: Clock,
    shelf: Shelf,
}

impl Objects {
    /// Opens the directory, if objects are to be kept in one.
    pub(crate) fn new(buckets: Vec<String>, clock: Clock, data: Option<&Path>) -> anyhow::Result<Self> {
        Ok(Self { buckets: buckets.into(), clock, shelf: Shelf::open(data)? })
    }

    /// Whether a path is that of an object.
    pub(crate) fn has(&self, path: &str) -> bool {
        let bucket = path.trim_start_matches('/').split('/').next().unwrap_or_default();
        self.buckets.iter().any(|it| it == bucket)
    }

    pub(crate) async fn answer(&self, request: Request) -> Response {
        let (parts, body) = request.into_parts();
        let done = match parts.method {
            Method::PUT => self.put(&parts, body).await,
            Method::DELETE => self.delete(&parts),
            Method::GET | Method::HEAD => self.get(&parts),
            Method::OPTIONS => Ok(StatusCode::OK.into_response()),
            _ => Err(NO_METHOD),
        };
        let mut response = done.unwrap_or_else(refuse);
        for (name, value) in
            [("origin", "*"), ("methods", "GET, PUT"), ("headers", "content-type, if-none-match")]
        {
            let name = format!("access-control-allow-{name}");
            if let (Ok(name), Ok(value)) = (name.parse::<lambda_http::http::HeaderName>(), value.parse()) {
                response.headers_mut().insert(name, value);
            }
        }
        response
    }

    /// Takes an object of the stack itself.
    pub(crate) fn store(&self, path: &str, content_type: &str, content: String) -> anyhow::Result<()> {
        Ok(self.shelf.put(path, Object { content_type: content_type.to_owned(), bytes: content.into() })?)
    }

    async fn put(&self, parts: &Parts, body: Body) -> Result<Response, Refusal> {
        self.check(parts)?;
        let bytes = to_bytes(body, OBJECT_MAX_BYTES).await.map_err(|_| TOO_LARGE)?;
        let content_type = header(&parts.headers, "content-type").unwrap_or("binary/octet-stream").to_owned();
        let tag = format!("\"{}\"", crate::sqs::body_md5(&String::from_utf8_lossy(&bytes)));
        let (path, object) = (parts.uri.path(), Object { content_type, bytes });
        let kept = match header(&parts.headers, "if-none-match") {
            Some("*") => self.shelf.put_new(path, object),
            _ => self.shelf.put(path, object),
        };
        kept.map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => IS_THERE,
            _ => {
                tracing::error!(%error, "an object was not kept");
                NOT_KEPT
            }
        })?;
        Ok((StatusCode::OK, [("etag", tag)]).into_response())
    }

    fn delete(&self, parts: &Parts) -> Result<Response, Refusal> {
        self.check(parts)?;
        self.shelf.remove(parts.uri.path()).map_err(|_| NOT_KEPT)?;
        Ok(StatusCode::NO_CONTENT.into_response())
    }

    /// Gives everybody what is below no private prefix.
    fn get(&self, parts: &Parts) -> Result<Response, Refusal> {
        if parts.uri.path().contains(PRIVATE) {
            self.check(parts)?;
        }
        let object = self.shelf.get(parts.uri.path()).ok_or(NO_KEY)?;
        Ok(([("content-type", object.content_type)], object.bytes).into_response())
    }

    /// Checks signature and time of a presigned request; what is signed includes type and length.
    fn check(&self, parts: &Parts) -> Result<(), Refusal> {
        let query = parts.uri.query().unwrap_or_default();
        let pairs: BTreeMap<&str, &str> = query.split('&').filter_map(|it| it.split_once('=')).collect();
        let field = |name: &str| pairs.get(name).copied().ok_or(NOT_SIGNED);
        let at = field("X-Amz-Date")?;
        let begins = jiff::civil::DateTime::strptime("%Y%m%dT%H%M%SZ", at).map_err(|_| NOT_SIGNED)?;
        let begins = begins.to_zoned(jiff::tz::TimeZone::UTC).map_err(|_| NOT_SIGNED)?.timestamp();
        let lives: i64 = field("X-Amz-Expires")?.parse().map_err(|_| NOT_SIGNED)?;
        let signed = signature(parts, &pairs, at, field("X-Amz-SignedHeaders")?).ok_or(FORGED)?;
        if signed != field("X-Amz-Signature")? {
            return Err(FORGED);
        }
        let age = self.clock.now().as_second() - begins.as_second();
        if age > lives { Err(EXPIRED) } else { Ok(()) }
    }
}

/// What the signature of this request must be; none when a signed header is missing.
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

fn header<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

fn refuse((status, code, message): Refusal) -> Response {
    let body = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>{code}</Code><Message>{message}</Message></Error>"
    );
    (status, [("content-type", "application/xml")], body).into_response()
}
