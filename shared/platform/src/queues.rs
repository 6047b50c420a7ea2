//! The queues of the workers.
//!
//! What follows from a write goes by the outbox ([`crate::outbox`]). Workers send what follows from none: the rest of
//! a job of many pages, and the pages of a schedule's run. A message that was not acknowledged comes again, so a
//! crash between such a send and the end of the work loses nothing.

use std::collections::BTreeMap;

use anyhow::anyhow;
use aws_sdk_sqs::{Client, types::SendMessageBatchRequestEntry};
use futures::future::join_all;
use serde::Serialize;

use crate::{
    error::{Error, Result},
    settings::{QueueUrls, required},
};

pub use crate::settings::QueueName;

/// The most messages of one call.
const TOGETHER_MAX: usize = 10;
/// The most bytes of one call are a mebibyte, and a message that came by a row has less than a tenth of it.
const TOGETHER_MAX_BYTES: usize = 900 * 1024;

/// The queues of the workers.
#[derive(Clone)]
pub struct Queues {
    client: Client,
    urls: QueueUrls,
}

/// A message that a queue did not accept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Refused {
    /// Its position among those that were sent.
    pub(crate) position: usize,
    /// Whether no queue will ever accept it: the fault is the message's own.
    pub(crate) for_good: bool,
}

/// A job for a worker. Its message holds identifiers: the worker reads the rows when it runs. A message may
/// arrive twice and late, so kinds of jobs are added and retired, never changed.
pub trait Job: Serialize {
    /// Returns the job's queue.
    fn queue(&self) -> QueueName;
}

impl Queues {
    /// Makes the queues at these addresses.
    pub fn new(client: Client, urls: QueueUrls) -> Self {
        Self { client, urls }
    }

    /// Sends one job to its queue.
    ///
    /// # Errors
    /// Fails when the queue did not accept it.
    pub async fn send<J: Job>(&self, job: &J) -> Result<()> {
        self.send_body(self.url(job.queue())?, serde_json::to_string(job)?).await.map(drop)
    }

    /// Sends jobs to their queues.
    ///
    /// # Errors
    /// Fails when a queue did not accept one of them; the others are sent.
    pub async fn send_jobs<J: Job>(&self, jobs: &[J]) -> Result<()> {
        let mut bodies: BTreeMap<QueueName, Vec<String>> = BTreeMap::new();
        for job in jobs {
            bodies.entry(job.queue()).or_default().push(serde_json::to_string(job)?);
        }
        for (queue, bodies) in bodies {
            if !self.send_all(queue, &bodies).await.is_empty() {
                return Err(Error::internal(anyhow!("{queue:?} did not accept all messages")));
            }
        }
        Ok(())
    }

    /// Sends messages to one queue, and returns those that it did not accept; the cause is in the log.
    pub(crate) async fn send_all(&self, queue: QueueName, bodies: &[String]) -> Vec<Refused> {
        let calls = chunks(bodies).into_iter().map(async |(first, bodies)| {
            let refused = self.send_together(queue, bodies).await.into_iter();
            refused.map(|it| Refused { position: first + it.position, ..it }).collect::<Vec<_>>()
        });
        join_all(calls).await.concat()
    }

    async fn send_together(&self, queue: QueueName, bodies: &[String]) -> Vec<Refused> {
        match self.try_send_together(queue, bodies).await {
            Ok(refused) => refused,
            Err(error) => {
                tracing::error!(?queue, messages = bodies.len(), "messages were not sent: {error:?}");
                (0..bodies.len()).map(|position| Refused { position, for_good: false }).collect()
            }
        }
    }

    async fn try_send_together(&self, queue: QueueName, bodies: &[String]) -> Result<Vec<Refused>> {
        let send = self.client.send_message_batch().queue_url(self.url(queue)?);
        let entry = |(position, body): (usize, &String)| {
            SendMessageBatchRequestEntry::builder().id(position.to_string()).message_body(body).build()
        };
        let entries =
            bodies.iter().enumerate().map(entry).collect::<Result<_, _>>().map_err(Error::internal)?;
        let answer = Box::pin(send.set_entries(Some(entries)).send()).await.map_err(Error::internal)?;
        let refused = answer.failed().iter().filter_map(|it| {
            tracing::error!(?queue, code = it.code(), "a message was not accepted");
            Some(Refused { position: it.id().parse().ok()?, for_good: it.sender_fault() })
        });
        Ok(refused.collect())
    }

    /// Sends one job to the dead letters of its queue.
    ///
    /// # Errors
    /// Fails when the function has no address of them, or they did not accept it.
    pub async fn send_to_dead_letters<J: Job>(&self, job: &J) -> Result<()> {
        self.give_up(self.url(job.queue())?, serde_json::to_string(job)?).await.map(drop)
    }

    /// Puts a message into the dead letters of its queue as SQS does: with the same body. Returns the id that it has
    /// there. The queue, or the stream, is named by its address or its ARN.
    ///
    /// # Errors
    /// Fails when the function has no address of them, or they did not accept it.
    pub async fn give_up(&self, queue: &str, body: String) -> Result<String> {
        let url = self.urls.dead_letters.of(queue);
        let url = url.ok_or_else(|| Error::internal(anyhow!("DEAD_LETTERS_URLS does not name {queue}")))?;
        self.send_body(url, body).await
    }

    async fn send_body(&self, url: &str, body: String) -> Result<String> {
        let send = self.client.send_message().queue_url(url).message_body(body).send();
        Ok(Box::pin(send).await.map_err(Error::internal)?.message_id.unwrap_or_default())
    }

    fn url(&self, queue: QueueName) -> Result<&String> {
        let (url, variable) = self.urls.of(queue);
        required(url, variable)
    }
}

/// Cuts messages into as few calls as hold them. Returns the position of the first of each.
fn chunks(bodies: &[String]) -> Vec<(usize, &[String])> {
    let (mut chunks, mut first, mut bytes) = (Vec::new(), 0, 0);
    for (position, body) in bodies.iter().enumerate() {
        if position - first == TOGETHER_MAX || (position > first && bytes + body.len() > TOGETHER_MAX_BYTES) {
            chunks.push((first, &bodies[first..position]));
            (first, bytes) = (position, 0);
        }
        bytes += body.len();
    }
    if first < bodies.len() {
        chunks.push((first, &bodies[first..]));
    }
    chunks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_takes_ten_messages_and_less_than_a_mebibyte() {
        let sizes = |bodies: &[String]| chunks(bodies).iter().map(|(_, it)| it.len()).collect::<Vec<_>>();
        assert_eq!(sizes(&vec![String::new(); 21]), [10, 10, 1]);
        let big = "x".repeat(TOGETHER_MAX_BYTES / 2);
        assert_eq!(sizes(&[big.clone(), big.clone(), big.clone()]), [2, 1]);
        assert_eq!(sizes(&["x".repeat(TOGETHER_MAX_BYTES + 1), big]), [1, 1]);
        assert!(chunks(&[]).is_empty());
    }
}
