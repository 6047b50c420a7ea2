//! Copies objects within a bucket. S3 copies the bytes, so the service transfers none of them.

use anyhow::{Result as Anyhow, ensure};
use bytes::Bytes;
use http::{Method, StatusCode};

use super::{Bucket, PRIVATE, PUBLIC, RESPONSE_MAX_BYTES, body};
use crate::{Error, Result};

impl Bucket<'_> {
    /// Copies an object to a private key. Returns false if the object does not exist.
    ///
    /// # Errors
    /// Fails if S3 returns an error, or takes more than 20 seconds.
    pub async fn copy_private(&self, from: &str, to: &str, content_type: &str) -> Result<bool> {
        self.copy(from, to, [PRIVATE, ("content-type", content_type)]).await.map_err(Error::Internal)
    }

    /// Copies an object to a public key. Returns false if the object does not exist.
    ///
    /// # Errors
    /// Fails like [`Self::copy_private`].
    pub async fn copy_public(&self, from: &str, to: &str, content_type: &str) -> Result<bool> {
        self.copy(from, to, [PUBLIC, ("content-type", content_type)]).await.map_err(Error::Internal)
    }

    async fn copy(&self, from: &str, to: &str, [cache, content_type]: [(&str, &str); 2]) -> Anyhow<bool> {
        let source = format!("/{}/{from}", self.name);
        let directive = ("x-amz-metadata-directive", "REPLACE");
        let headers = [cache, content_type, ("x-amz-copy-source", source.as_str()), directive];
        let response = self.send_request(Method::PUT, to, &headers, Bytes::new()).await?;
        let status = response.status();
        if status == StatusCode::NOT_FOUND {
            return Ok(false);
        }
        ensure!(status.is_success(), "S3 returned {status} for a copy");
        // If S3 fails after it sent the status, the body describes the error.
        let answer = body(response, RESPONSE_MAX_BYTES).await?;
        ensure!(answer.windows(RESULT.len()).any(|part| part == RESULT), "S3 did not finish a copy");
        Ok(true)
    }
}

const RESULT: &[u8] = b"<CopyObjectResult";
