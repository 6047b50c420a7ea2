//! The bucket: takes a PUT that was signed for it, and gives to everybody.

use std::{
    collections::{BTreeMap, HashMap},
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use axum::{
    body::{Body, to_bytes},
    extract::Request,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use hmac::{Hmac, KeyInit, Mac};
use lambda_http::http::{HeaderMap, Method, StatusCode, request::Parts};
use sha2::{Digest, Sha256};

use crate::{aws::REGION, clock::Clock};

/// The secret of `endpoints::sdk_config`.
pub(crate) const SECRET: &str = "local";
const OBJECT_MAX_BYTES: usize = 256 * 1024 * 1024;

/// A refusal: status, code, message.
type Refusal = (StatusCode, &'static str, &'static str);

const NOT_SIGNED: Refusal = (StatusCode::FORBIDDEN, "AccessDenied", "Access Denied");
const EXPIRED: Refusal = (StatusCode::FORBIDDEN, "AccessDenied", "Request has expired");
const FORGED: Refusal =
    (StatusCode::FORBIDDEN, "SignatureDoesNotMatch", "The request signature we calculated does not match");
const NO_KEY: Refusal = (StatusCode::NOT_FOUND, "NoSuchKey", "The specified key does not exist.");
const TOO_LARGE: Refusal =
    (StatusCode::BAD_REQUEST, "EntityTooLarge", "Your proposed upload exceeds the maximum allowed size");
const NO_METHOD: Refusal =
    (StatusCode::METHOD_NOT_ALLOWED, "MethodNotAllowed", "The method is not allowed against this resource.");

#[derive(Clone)]
struct Object {
    content_type: String,
    bytes: Bytes,
}

/// The buckets of the template. Objects are kept in memory and, where there is one, in a directory.
#[derive(Clone)]
pub(crate) struct Objects {
    buckets: Arc<[String]>,
    clock: Clock,
    directory: Option<PathBuf>,
    objects: Arc<Mutex<HashMap<String, Object>>>,
}

impl Objects {
    pub(crate) fn new(buckets: Vec<String>, clock: Clock, data: Option<PathBuf>) -> Self {
        let directory = data.map(|it| it.join("objects"));
        Self { buckets: buckets.into(), clock, directory, objects: Arc::default() }
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
            Method::GET | Method::HEAD => self.get(parts.uri.path()),
            Method::OPTIONS => Ok(StatusCode::OK.into_response()),
            _ => Err(NO_METHOD),
        };
        let mut response = done.unwrap_or_else(refuse);
        for (name, value) in [("origin", "*"), ("methods", "GET, PUT"), ("headers", "content-type")] {
            let name = format!("access-control-allow-{name}");
            if let (Ok(name), Ok(value)) = (name.parse::<lambda_http::http::HeaderName>(), value.parse()) {
                response.headers_mut().insert(name, value);
            }
        }
        response
    }

    /// Takes an object of the stack itself.
    pub(crate) fn store(&self, path: &str, content_type: &str, content: String) {
        self.keep(path, &Object { content_type: content_type.to_owned(), bytes: Bytes::from(content) });
    }

    async fn put(&self, parts: &Parts, body: Body) -> Result<Response, Refusal> {
        self.check(parts)?;
        let bytes = to_bytes(body, OBJECT_MAX_BYTES).await.map_err(|_| TOO_LARGE)?;
        let content_type = header(&parts.headers, "content-type").unwrap_or("binary/octet-stream").to_owned();
        let tag = format!("\"{}\"", crate::sqs::body_md5(&String::from_utf8_lossy(&bytes)));
        self.keep(parts.uri.path(), &Object { content_type, bytes });
        Ok((StatusCode::OK, [("etag", tag)]).into_response())
    }

    fn get(&self, path: &str) -> Result<Response, Refusal> {
        let kept = self.lock().get(path).cloned();
        let object = kept.or_else(|| self.read(path)).ok_or(NO_KEY)?;
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

    fn keep(&self, path: &str, object: &Object) {
        self.lock().insert(path.to_owned(), object.clone());
        let Some(file) = self.file(path) else { return };
        let content = [object.content_type.as_bytes(), b"\n", &object.bytes].concat();
        let written = file
            .parent()
            .map_or(Ok(()), std::fs::create_dir_all)
            .and_then(|()| std::fs::write(&file, content));
        if let Err(error) = written {
            tracing::error!(%error, "an object was not kept");
        }
    }

    fn read(&self, path: &str) -> Option<Object> {
        let content = std::fs::read(self.file(path)?).ok()?;
        let end = content.iter().position(|it| *it == b'\n')?;
        let content_type = String::from_utf8(content.get(..end)?.to_vec()).ok()?;
        Some(Object { content_type, bytes: Bytes::from(content).slice(end + 1..) })
    }

    fn file(&self, path: &str) -> Option<PathBuf> {
        Some(self.directory.as_ref()?.join(hex::encode(Sha256::digest(path))))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Object>> {
        self.objects.lock().unwrap_or_else(PoisonError::into_inner)
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
