//! Writes an object that concatenates bytes and other objects. Keeps only a few chunks in memory.

use std::{convert::Infallible, time::Duration};

use anyhow::{Context, Result as Anyhow, ensure};
use bytes::Bytes;
use http::Method;
use http_body_util::channel::{Channel, Sender};

use super::{Bucket, PRIVATE};
use crate::{Error, Result};

/// Timeout of a transfer. Enough for 256 MiB at 3 MiB per second.
const TIMEOUT: Duration = Duration::from_secs(90);
/// Maximum number of chunks that wait to be sent.
const CHUNKS_MAX: usize = 4;

/// A part of an object to write.
#[derive(Clone, Debug)]
pub enum Piece {
    /// Bytes in memory.
    Bytes(Bytes),
    /// An object in the same bucket, whose bytes are copied.
    Object {
        /// Key of the object.
        key: String,
        /// Length of the object in bytes.
        length: u64,
    },
}

impl Piece {
    fn length(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::Object { length, .. } => *length,
        }
    }
}

impl Bucket<'_> {
    /// Writes a private object that concatenates the pieces.
    ///
    /// # Errors
    /// Fails if the size of a source object has changed, or if the upload takes more than 90 seconds.
    pub async fn put_pieces(&self, key: &str, content_type: &str, pieces: &[Piece]) -> Result<()> {
        let (sender, body) = Channel::new(CHUNKS_MAX);
        let put = self.put_body(key, content_type, pieces, body);
        tokio::try_join!(self.feed(sender, pieces), put).map(drop).map_err(Error::Internal)
    }

    async fn put_body(
        &self,
        key: &str,
        content_type: &str,
        pieces: &[Piece],
        body: Channel<Bytes, Infallible>,
    ) -> Anyhow<()> {
        let length = pieces.iter().map(Piece::length).sum::<u64>().to_string();
        let headers = [PRIVATE, ("content-length", length.as_str()), ("content-type", content_type)];
        let request = self.request(Method::PUT, key, &headers).await?;
        let request = request.body(reqwest::Body::wrap(body))?;
        let response = self.app.outgoing.send_signed_once(request, TIMEOUT).await.context("S3")?;
        ensure!(response.status().is_success(), "S3 returned {} for a PUT", response.status());
        Ok(())
    }

    async fn feed(&self, mut sender: Sender<Bytes, Infallible>, pieces: &[Piece]) -> Anyhow<()> {
        for piece in pieces {
            match piece {
                Piece::Bytes(bytes) => sender.send_data(bytes.clone()).await?,
                Piece::Object { key, length } => self.feed_object(&mut sender, key, *length).await?,
            }
        }
        Ok(())
    }

    async fn feed_object(
        &self,
        sender: &mut Sender<Bytes, Infallible>,
        key: &str,
        length: u64,
    ) -> Anyhow<()> {
        let mut response = self.open_object(key).await?;
        let mut left = length;
        while let Some(chunk) = response.chunk().await.map_err(reqwest::Error::without_url)? {
            left = left.checked_sub(chunk.len() as u64).context("a source object is longer than expected")?;
            sender.send_data(chunk).await?;
        }
        ensure!(left == 0, "a source object is shorter than expected");
        Ok(())
    }

    async fn open_object(&self, key: &str) -> Anyhow<reqwest::Response> {
        let request = self.request(Method::GET, key, &[]).await?.body(Bytes::new())?;
        let response = self.app.outgoing.send_signed(request, TIMEOUT).await.context("S3")?;
        ensure!(response.status().is_success(), "S3 returned {} for a GET", response.status());
        Ok(response)
    }
}
