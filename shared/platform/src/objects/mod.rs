//! Objects of a bucket of S3: signed addresses for others, and requests of our own that are signed the same way.

mod pieces;

pub use pieces::Piece;

use std::time::Duration;

use anyhow::{Context, Result as Anyhow, bail, ensure};
use aws_sigv4::{
    http_request::{
        PercentEncodingMode, SignableBody, SignableRequest, SignatureLocation, SigningSettings,
        UriPathNormalizationMode, sign,
    },
    sign::v4::SigningParams,
};
use bytes::{Bytes, BytesMut};
use http::{Method, StatusCode, header::CONTENT_LENGTH, request::Builder};
use reqwest::Response;

use crate::{
    App,
    error::{Error, Result},
    outgoing::system_time,
    settings::required,
};

/// How long an address is good for that only signs a request of our own.
const OWN_LIVES: Duration = Duration::from_secs(60);
/// How long a request of our own may take: 200 MiB, at 10 a second.
const WAIT: Duration = Duration::from_secs(20);
/// What is at a key never changes, but it may be removed: a day later no cache has it any more.
const CACHED: &str = "public, max-age=86400, immutable";
/// What only its owner reads is kept nowhere on the way.
const PRIVATE: (&str, &str) = ("cache-control", "private, no-store");
/// The most bytes that are read of an answer that is no object.
const ANSWER_MAX_BYTES: usize = 16 * 1024;

/// The headers of a request, all of them signed.
pub type Headers<'a> = &'a [(&'a str, &'a str)];

/// A bucket.
pub struct Bucket<'a> {
    app: &'a App,
    name: &'a str,
}

impl<'a> Bucket<'a> {
    /// Returns the bucket of uploads.
    ///
    /// # Errors
    /// Fails when `UPLOAD_BUCKET` is not set.
    pub fn of_uploads(app: &'a App) -> Result<Self> {
        Ok(Self { app, name: required(&app.settings.upload_bucket, "UPLOAD_BUCKET")? })
    }

    /// Returns the address of an object in the bucket itself.
    pub fn address(&self, key: &str) -> String {
        let standard = || self.app.outgoing.standard_endpoint(&format!("{}.s3", self.name));
        let endpoint = self.app.outgoing.endpoint("S3");
        let base = endpoint.map_or_else(standard, |it| format!("{it}/{}", self.name));
        format!("{base}/{key}")
    }

    /// Returns an address that is good for one kind of request with these headers, whatever its body.
    ///
    /// # Errors
    /// Fails when there are no credentials.
    pub async fn presign(
        &self,
        method: Method,
        key: &str,
        headers: Headers<'_>,
        lives: Duration,
    ) -> Result<String> {
        self.signed(method, key, headers, lives).await.map_err(Error::Internal)
    }

    /// Returns an object; none where there is no such object.
    ///
    /// # Errors
    /// Fails when it is larger than `max_bytes`, or S3 does not give it.
    pub async fn get(&self, key: &str, max_bytes: usize) -> Result<Option<Bytes>> {
        self.read(key, max_bytes).await.map_err(Error::Internal)
    }

    /// Returns how many bytes an object has; none where there is no such object.
    ///
    /// # Errors
    /// Fails when S3 does not say.
    pub async fn length(&self, key: &str) -> Result<Option<u64>> {
        self.ask_length(key).await.map_err(Error::Internal)
    }

    /// Writes an object, in place of any that is there.
    ///
    /// # Errors
    /// Fails when S3 does not take it.
    pub async fn put(&self, key: &str, content_type: &str, bytes: Bytes) -> Result<()> {
        let headers = [("cache-control", CACHED), ("content-type", content_type)];
        self.done(Method::PUT, key, &headers, bytes).await.map(drop).map_err(Error::Internal)
    }

    /// Writes an object that nobody but its owner reads, as [`Bucket::put`] does.
    ///
    /// # Errors
    /// Fails when S3 does not take it.
    pub async fn put_private(&self, key: &str, content_type: &str, bytes: Bytes) -> Result<()> {
        let headers = [PRIVATE, ("content-type", content_type)];
        self.done(Method::PUT, key, &headers, bytes).await.map(drop).map_err(Error::Internal)
    }

    /// Deletes an object; nothing where there is none.
    ///
    /// # Errors
    /// Fails when S3 does not delete it.
    pub async fn delete(&self, key: &str) -> Result<()> {
        self.done(Method::DELETE, key, &[], Bytes::new()).await.map(drop).map_err(Error::Internal)
    }

    async fn read(&self, key: &str, max_bytes: usize) -> Anyhow<Option<Bytes>> {
        let answer = self.ask(Method::GET, key, &[], Bytes::new()).await?;
        match answer.status() {
            StatusCode::NOT_FOUND => Ok(None),
            status if status.is_success() => body(answer, max_bytes).await.map(Some),
            status => bail!("S3 answered {status} to a GET"),
        }
    }

    async fn ask_length(&self, key: &str) -> Anyhow<Option<u64>> {
        let answer = self.ask(Method::HEAD, key, &[], Bytes::new()).await?;
        match answer.status() {
            StatusCode::NOT_FOUND => Ok(None),
            status if status.is_success() => {
                let length = answer.headers().get(CONTENT_LENGTH).context("S3 told no length")?;
                Ok(Some(length.to_str()?.parse()?))
            }
            status => bail!("S3 answered {status} to a HEAD"),
        }
    }

    async fn done(&self, method: Method, key: &str, headers: Headers<'_>, bytes: Bytes) -> Anyhow<Bytes> {
        let answer = self.ask(method.clone(), key, headers, bytes).await?;
        let status = answer.status();
        ensure!(status.is_success(), "S3 answered {status} to a {method}");
        body(answer, ANSWER_MAX_BYTES).await
    }

    async fn ask(&self, method: Method, key: &str, headers: Headers<'_>, bytes: Bytes) -> Anyhow<Response> {
        let request = self.request(method, key, headers).await?.body(bytes)?;
        self.app.outgoing.ask_signed(request, WAIT).await.context("S3")
    }

    async fn request(&self, method: Method, key: &str, headers: Headers<'_>) -> Anyhow<Builder> {
        let address = self.signed(method.clone(), key, headers, OWN_LIVES).await?;
        let request = http::Request::builder().method(method).uri(address);
        Ok(headers.iter().fold(request, |request, (name, value)| request.header(*name, *value)))
    }

    /// Signs the address, host and headers, without the body.
    async fn signed(
        &self,
        method: Method,
        key: &str,
        headers: Headers<'_>,
        lives: Duration,
    ) -> Anyhow<String> {
        let (outgoing, address) = (&self.app.outgoing, self.address(key));
        let mut settings = SigningSettings::default();
        settings.signature_location = SignatureLocation::QueryParams;
        settings.expires_in = Some(lives);
        settings.percent_encoding_mode = PercentEncodingMode::Single;
        settings.uri_path_normalization_mode = UriPathNormalizationMode::Disabled;
        let identity = outgoing.credentials().await?.into();
        let params = SigningParams::builder().identity(&identity).region(outgoing.region()).name("s3");
        let params = params.time(system_time(self.app.now())).settings(settings).build()?.into();
        let body = SignableBody::UnsignedPayload;
        let signable = SignableRequest::new(method.as_str(), &address, headers.iter().copied(), body)?;
        let (instructions, _) = sign(signable, &params)?.into_parts();
        let mut signed = http::Request::builder().method(method).uri(address).body(())?;
        instructions.apply_to_request_http1x(&mut signed);
        Ok(signed.uri().to_string())
    }
}

/// Reads a body as far as it may go.
async fn body(mut answer: Response, max_bytes: usize) -> Anyhow<Bytes> {
    let expected = answer.content_length().and_then(|it| usize::try_from(it).ok()).unwrap_or_default();
    let mut bytes = BytesMut::with_capacity(expected.min(max_bytes));
    while let Some(chunk) = answer.chunk().await.map_err(reqwest::Error::without_url)? {
        ensure!(bytes.len() + chunk.len() <= max_bytes, "S3 answered more than {max_bytes} bytes");
        bytes.extend_from_slice(&chunk);
    }
    Ok(bytes.freeze())
}
