//! S3 buckets with presigned requests, public objects, versions, and notifications to queues.

mod notifications;
mod refusal;
mod signature;
mod versions;

use std::{io::ErrorKind, path::Path, sync::Arc};

use axum::{
    body::{Body, to_bytes},
    extract::Request,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use lambda_http::http::{HeaderValue, Method, StatusCode, request::Parts};

pub(crate) use self::signature::SECRET;
use self::{
    notifications::Put,
    refusal::{
        ALREADY_EXISTS, NO_KEY, NO_METHOD, NO_RANGE, NOT_SIGNED, NOT_STORED, Refusal, TOO_LARGE, refuse,
    },
};
use crate::{
    clock::Clock,
    iam::Iam,
    object_store::{Object, ObjectStore},
    recorder::Recorder,
    signed::header,
    sqs::Queues,
    template::Bucket,
};

/// The header with the path of the object to copy.
const COPY_SOURCE: &str = "x-amz-copy-source";
const OBJECT_MAX_BYTES: usize = 256 * 1024 * 1024;
const CORS: [(&str, &str); 3] = [
    ("access-control-allow-origin", "*"),
    ("access-control-allow-methods", "GET, PUT"),
    ("access-control-allow-headers", "content-type, if-none-match"),
];

#[derive(Clone)]
pub(crate) struct Objects {
    buckets: Arc<[Bucket]>,
    clock: Clock,
    iam: Arc<Iam>,
    queues: Queues,
    object_store: ObjectStore,
    recorder: Recorder,
}

impl Objects {
    /// Opens the buckets. Without a data directory, objects are stored in memory.
    pub(crate) fn new(
        buckets: Vec<Bucket>,
        (clock, iam, queues, recorder): (Clock, Arc<Iam>, Queues, Recorder),
        data: Option<&Path>,
    ) -> anyhow::Result<Self> {
        Ok(Self {
            buckets: buckets.into(),
            clock,
            iam,
            queues,
            object_store: ObjectStore::open(data)?,
            recorder,
        })
    }

    /// Returns whether the path begins with the name of a bucket.
    pub(crate) fn has(&self, path: &str) -> bool {
        self.bucket(path).is_some()
    }

    pub(crate) async fn answer(&self, request: Request) -> Response {
        let (parts, body) = request.into_parts();
        let result = match parts.method {
            Method::PUT if parts.headers.contains_key(COPY_SOURCE) => self.copy(&parts),
            Method::PUT => self.put(&parts, body).await,
            Method::GET if versions::is_list(&parts) => self.list_versions(&parts),
            Method::GET | Method::HEAD => self.get(&parts),
            Method::DELETE => self.delete(&parts),
            Method::OPTIONS => Ok(StatusCode::OK.into_response()),
            _ => Err(NO_METHOD),
        };
        (CORS, result.unwrap_or_else(refuse)).into_response()
    }

    /// Returns an object without checking a signature.
    pub(crate) fn peek(&self, path: &str) -> Option<Object> {
        self.object_store.get(path)
    }

    /// Stores an object on behalf of the stack itself, without a permission check.
    pub(crate) fn store_object(&self, path: &str, content_type: &str, content: String) -> anyhow::Result<()> {
        let (content_type, cache_control) = (content_type.to_owned(), String::new());
        Ok(self.object_store.put(path, Object { content_type, cache_control, bytes: content.into() })?)
    }

    async fn put(&self, parts: &Parts, body: Body) -> Result<Response, Refusal> {
        self.check(parts, "s3:PutObject")?;
        let bytes = to_bytes(body, OBJECT_MAX_BYTES).await.map_err(|_| TOO_LARGE)?;
        let tag = self.store(parts, bytes)?;
        Ok((StatusCode::OK, [("etag", tag)]).into_response())
    }

    /// Copies an object. Uses the headers of the request, not those of the source.
    fn copy(&self, parts: &Parts) -> Result<Response, Refusal> {
        let caller = self.check(parts, "s3:PutObject")?;
        let source = header(&parts.headers, COPY_SOURCE).unwrap_or_default();
        let Object { bytes, .. } = self.find(caller, source)?;
        let tag = self.store(parts, bytes)?;
        Ok(format!("<CopyObjectResult><ETag>{tag}</ETag></CopyObjectResult>").into_response())
    }

    /// Stores an object with the headers of a request, and sends its notification. Returns its entity tag.
    fn store(&self, parts: &Parts, bytes: Bytes) -> Result<String, Refusal> {
        let text = |name| header(&parts.headers, name).map(str::to_owned);
        let content_type = text("content-type").unwrap_or_else(|| "binary/octet-stream".to_owned());
        let cache_control = text("cache-control").unwrap_or_default();
        let tag = format!("\"{}\"", crate::sqs::body_md5(&String::from_utf8_lossy(&bytes)));
        let (path, object) = (parts.uri.path(), Object { content_type, cache_control, bytes });
        let (size, kind) = (object.bytes.len(), object.content_type.clone());
        let stored = match header(&parts.headers, "if-none-match") {
            Some("*") => self.object_store.put_new(path, object),
            _ => self.object_store.put(path, object),
        };
        stored.map_err(storage_failure)?;
        self.recorder.add_object("put", path, &kind, size);
        if let Some(bucket) = self.bucket(path) {
            if !bucket.is_versioned() {
                self.object_store.remove_earlier(path).map_err(storage_failure)?;
            }
            notifications::send(&self.queues, bucket, &Put { path, size, at: self.clock.now() });
        }
        Ok(tag)
    }

    fn get(&self, parts: &Parts) -> Result<Response, Refusal> {
        let path = parts.uri.path();
        let object = match signature::is_signed(parts) {
            true => self.find(signature::check(parts, &self.clock)?, path)?,
            false if self.is_public(path) => self.object_store.get(path).ok_or(NO_KEY)?,
            false => return Err(NOT_SIGNED),
        };
        let Some(range) = header(&parts.headers, "range") else {
            return Ok(response(StatusCode::OK, &object, object.bytes.clone()));
        };
        let end = range.strip_prefix("bytes=0-").and_then(|end| end.parse::<usize>().ok()).ok_or(NO_RANGE)?;
        let end = object.bytes.len().min(end.saturating_add(1));
        Ok(response(StatusCode::PARTIAL_CONTENT, &object, object.bytes.slice(..end)))
    }

    /// Returns an object that the caller can read. As on AWS, a missing object results in 404 only if the caller has
    /// permission for `s3:ListBucket`.
    fn find(&self, caller: &str, path: &str) -> Result<Object, Refusal> {
        self.allow(caller, "s3:GetObject", path)?;
        let object = self.object_store.get(path);
        if let (None, Some(bucket)) = (&object, self.bucket(path)) {
            self.allow(caller, "s3:ListBucket", &bucket.name)?;
        }
        object.ok_or(NO_KEY)
    }

    /// Deletes the version that the request names, or else the object. In a versioned bucket, deleting an object only
    /// adds a delete marker.
    fn delete(&self, parts: &Parts) -> Result<Response, Refusal> {
        let path = parts.uri.path();
        let is_versioned = self.bucket(path).is_some_and(Bucket::is_versioned);
        let deleted = match versions::version_of(parts) {
            Some(version) => {
                self.check(parts, "s3:DeleteObjectVersion")?;
                self.object_store.remove_version(path, version)
            }
            None => {
                self.check(parts, "s3:DeleteObject")?;
                if is_versioned {
                    self.object_store.mark_deleted(path)
                } else {
                    self.object_store.remove(path)
                }
            }
        };
        deleted.map_err(storage_failure)?;
        self.recorder.add_object("deleted", path, "", 0);
        Ok(StatusCode::NO_CONTENT.into_response())
    }

    fn list_versions(&self, parts: &Parts) -> Result<Response, Refusal> {
        let caller = signature::check(parts, &self.clock)?;
        let bucket = parts.uri.path().trim_matches('/');
        self.allow(caller, "s3:ListBucketVersions", bucket)?;
        Ok(versions::answer(&self.object_store, bucket, parts))
    }

    /// Checks the signature and the caller's policy. Returns the caller's access key ID.
    fn check<'a>(&self, parts: &'a Parts, action: &str) -> Result<&'a str, Refusal> {
        let caller = signature::check(parts, &self.clock)?;
        self.allow(caller, action, parts.uri.path())?;
        Ok(caller)
    }

    fn allow(&self, caller: &str, action: &str, path: &str) -> Result<(), Refusal> {
        self.iam.allows(caller, action, &arn(path)).then_some(()).ok_or(NOT_SIGNED)
    }

    fn is_public(&self, path: &str) -> bool {
        self.bucket(path).is_some_and(|bucket| bucket.is_public(&arn(path)))
    }

    fn bucket(&self, path: &str) -> Option<&Bucket> {
        let bucket = path.trim_start_matches('/').split('/').next().unwrap_or_default();
        self.buckets.iter().find(|candidate| candidate.name == bucket)
    }
}

fn arn(path: &str) -> String {
    format!("arn:aws:s3:::{}", path.trim_start_matches('/'))
}

fn storage_failure(error: std::io::Error) -> Refusal {
    match error.kind() {
        ErrorKind::AlreadyExists => ALREADY_EXISTS,
        _ => {
            tracing::error!(%error, "failed to store an object");
            NOT_STORED
        }
    }
}

fn response(status: StatusCode, object: &Object, bytes: Bytes) -> Response {
    let mut response = (status, [("content-type", object.content_type.clone())], bytes).into_response();
    if let Some(value) = HeaderValue::from_str(&object.cache_control).ok().filter(|value| !value.is_empty()) {
        response.headers_mut().insert("cache-control", value);
    }
    response
}
