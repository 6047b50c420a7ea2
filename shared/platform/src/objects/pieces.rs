//! An object that is put together from others: however large it is, a few chunks of it are in memory.

use std::{convert::Infallible, time::Duration};

use anyhow::{Context, Result as Anyhow, ensure};
use bytes::Bytes;
use http::Method;
use http_body_util::channel::{Channel, Sender};

use super::{Bucket, PRIVATE};
use crate::error::{Error, Result};

/// How long writing the whole may take: 256 MiB, at 3 a second.
const WAIT: Duration = Duration::from_secs(90);
/// The chunks that wait for being sent.
const CHUNKS: usize = 4;

/// A piece of an object.
#[derive(Clone, Debug)]
pub enum Piece {
    /// These bytes.
    Bytes(Bytes),
    /// An object of the same bucket.
    Object {
        /// Its key.
        key: String,
        /// Its length in bytes.
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
    /// Writes an object that nobody but its owner reads, made of pieces one after the other.
    ///
    /// # Errors
    /// Fails when an object among them is no longer as long as it was, or S3 does not take the whole in 90 seconds.
    pub async fn put_pieces(&self, key: &str, content_type: &str, pieces: &[Piece]) -> Result<()> {
        let (sender, body) = Channel::new(CHUNKS);
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
        let answer = self.app.outgoing.ask_once(request, WAIT).await.context("S3")?;
        ensure!(answer.status().is_success(), "S3 answered {} to a PUT", answer.status());
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
        let mut answer = self.ask_for(key).await?;
        let mut left = length;
        while let Some(chunk) = answer.chunk().await.map_err(reqwest::Error::without_url)? {
            left = left.checked_sub(chunk.len() as u64).context("an object has grown")?;
            sender.send_data(chunk).await?;
        }
        ensure!(left == 0, "an object has shrunk");
        Ok(())
    }

    async fn ask_for(&self, key: &str) -> Anyhow<reqwest::Response> {
        let request = self.request(Method::GET, key, &[]).await?.body(Bytes::new())?;
        let answer = self.app.outgoing.ask_signed(request, WAIT).await.context("S3")?;
        ensure!(answer.status().is_success(), "S3 answered {} to a GET", answer.status());
        Ok(answer)
    }
}
