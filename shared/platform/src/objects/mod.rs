//! Reads and writes S3 objects, and creates presigned URLs for clients.

mod copy;
mod pieces;
mod versions;

pub use pieces::Piece;

use std::time::Duration;

use anyhow::{Context, Result as Anyhow, bail, ensure};
use aws_sigv4::http_request::{
    PercentEncodingMode, SignableBody, SignableRequest, SignatureLocation, SigningSettings,
    UriPathNormalizationMode,
};
use bytes::{Bytes, BytesMut};
use http::{Method, StatusCode, header::CONTENT_LENGTH, request::Builder};
use reqwest::Response;

use crate::{App, Error, Result, settings::required};

/// Lifetime of presigned URLs for the service's own requests.
const INTERNAL_URL_LIFETIME: Duration = Duration::from_secs(60);
/// Timeout of a request. Enough to transfer 200 MiB at 10 MiB per second.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(20);
/// The header that allows caches to store public objects, which never change. Caches drop a deleted object within a
/// day.
const PUBLIC: (&str, &str) = ("cache-control", "public, max-age=86400, immutable");
/// The header that forbids caches to store private objects.
const PRIVATE: (&str, &str) = ("cache-control", "private, no-store");
const RESPONSE_MAX_BYTES: usize = 16 * 1024;

/// The headers of a request. The signature covers all of them.
pub type Headers<'a> = &'a [(&'a str, &'a str)];

/// An S3 bucket.
pub struct Bucket<'a> {
    app: &'a App,
    name: &'a str,
}

impl<'a> Bucket<'a> {
    /// Returns the bucket for uploads.
    pub fn of_uploads(app: &'a App) -> Result<Self> {
        Ok(Self { app, name: required(&app.settings.upload_bucket, "UPLOAD_BUCKET")? })
    }

    /// Returns the bucket with the list of account deletions.
    pub fn of_deletions(app: &'a App) -> Result<Self> {
        Ok(Self { app, name: required(&app.settings.deletions_bucket, "DELETIONS_BUCKET")? })
    }

    /// Returns the unsigned URL of an object in the bucket.
    pub fn address(&self, key: &str) -> String {
        let standard = || self.app.outgoing.standard_endpoint(&format!("{}.s3", self.name));
        let endpoint = self.app.outgoing.endpoint("S3");
        let base = endpoint.map_or_else(standard, |endpoint| format!("{endpoint}/{}", self.name));
        format!("{base}/{key}")
    }

    /// Returns a presigned URL for `method` and `headers`. The signature does not cover the body.
    pub async fn presign(
        &self,
        method: Method,
        key: &str,
        headers: Headers<'_>,
        lifetime: Duration,
    ) -> Result<String> {
        self.signed(method, key, headers, lifetime).await.map_err(Error::Internal)
    }

    /// Returns an object, or `None` if it does not exist.
    ///
    /// # Errors
    /// Fails if the object is larger than `max_bytes`, or if S3 returns an error.
    pub async fn get(&self, key: &str, max_bytes: usize) -> Result<Option<Bytes>> {
        self.read(key, max_bytes).await.map_err(Error::Internal)
    }

    /// Returns the size of an object in bytes, or `None` if it does not exist.
    pub async fn length(&self, key: &str) -> Result<Option<u64>> {
        self.read_length(key).await.map_err(Error::Internal)
    }

    /// Writes a public object. Replaces an existing object.
    pub async fn put(&self, key: &str, content_type: &str, bytes: Bytes) -> Result<()> {
        let headers = [PUBLIC, ("content-type", content_type)];
        self.send(Method::PUT, key, &headers, bytes).await.map_err(Error::Internal)
    }

    /// Writes a private object, which caches must not store. Replaces an existing object.
    pub async fn put_private(&self, key: &str, content_type: &str, bytes: Bytes) -> Result<()> {
        let headers = [PRIVATE, ("content-type", content_type)];
        self.send(Method::PUT, key, &headers, bytes).await.map_err(Error::Internal)
    }

    async fn read(&self, key: &str, max_bytes: usize) -> Anyhow<Option<Bytes>> {
        let Some(response) = self.find(Method::GET, key).await? else { return Ok(None) };
        body(response, max_bytes).await.map(Some)
    }

    async fn read_length(&self, key: &str) -> Anyhow<Option<u64>> {
        let Some(response) = self.find(Method::HEAD, key).await? else { return Ok(None) };
        let length = response.headers().get(CONTENT_LENGTH).context("S3 returned no length")?;
        Ok(Some(length.to_str()?.parse()?))
    }

    /// Returns the response for an object, or `None` if the object does not exist.
    async fn find(&self, method: Method, key: &str) -> Anyhow<Option<Response>> {
        let response = self.send_request(method.clone(), key, &[], Bytes::new()).await?;
        match response.status() {
            StatusCode::NOT_FOUND => Ok(None),
            status if status.is_success() => Ok(Some(response)),
            status => bail!("S3 returned {status} for a {method}"),
        }
    }

    async fn send(&self, method: Method, key: &str, headers: Headers<'_>, bytes: Bytes) -> Anyhow<()> {
        let response = self.send_request(method.clone(), key, headers, bytes).await?;
        let status = response.status();
        ensure!(status.is_success(), "S3 returned {status} for a {method}");
        body(response, RESPONSE_MAX_BYTES).await.map(drop)
    }

    /// Sends a request. `key` may end with a query.
    async fn send_request(
        &self,
        method: Method,
        key: &str,
        headers: Headers<'_>,
        bytes: Bytes,
    ) -> Anyhow<Response> {
        let request = self.request(method, key, headers).await?.body(bytes)?;
        self.app.outgoing.send_signed(request, REQUEST_TIMEOUT).await.context("S3")
    }

    async fn request(&self, method: Method, key: &str, headers: Headers<'_>) -> Anyhow<Builder> {
        let address = self.signed(method.clone(), key, headers, INTERNAL_URL_LIFETIME).await?;
        let request = http::Request::builder().method(method).uri(address);
        Ok(headers.iter().fold(request, |request, (name, value)| request.header(*name, *value)))
    }

    /// Returns a presigned URL. The signature covers the method, host and headers, but not the body.
    async fn signed(
        &self,
        method: Method,
        key: &str,
        headers: Headers<'_>,
        lifetime: Duration,
    ) -> Anyhow<String> {
        let address = self.address(key);
        let mut settings = SigningSettings::default();
        settings.signature_location = SignatureLocation::QueryParams;
        settings.expires_in = Some(lifetime);
        settings.percent_encoding_mode = PercentEncodingMode::Single;
        settings.uri_path_normalization_mode = UriPathNormalizationMode::Disabled;
        let body = SignableBody::UnsignedPayload;
        let signable = SignableRequest::new(method.as_str(), &address, headers.iter().copied(), body)?;
        let signature = self.app.outgoing.signature("s3", signable, settings, self.app.now()).await?;
        let mut signed = http::Request::builder().method(method).uri(address).body(())?;
        signature.apply_to_request_http1x(&mut signed);
        Ok(signed.uri().to_string())
    }
}

/// Reads the body of a response. Fails if the body is larger than `max_bytes`.
async fn body(mut response: Response, max_bytes: usize) -> Anyhow<Bytes> {
    let expected =
        response.content_length().and_then(|length| usize::try_from(length).ok()).unwrap_or_default();
    let mut bytes = BytesMut::with_capacity(expected.min(max_bytes));
    while let Some(chunk) = response.chunk().await.map_err(reqwest::Error::without_url)? {
        ensure!(bytes.len() + chunk.len() <= max_bytes, "S3 returned more than {max_bytes} bytes");
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes.freeze())
}
