//! Sends jobs to the workers' queues.
//!
//! Jobs that follow from a database write go through the outbox ([`crate::outbox`]). Workers use this module for other
//! jobs: the next message of a paged job, and scheduled jobs. If a worker crashes, no job is lost, because SQS delivers
//! the worker's own message again.

use std::collections::BTreeMap;

use anyhow::anyhow;
use aws_sdk_sqs::{Client, types::SendMessageBatchRequestEntry};
use futures::future::join_all;
use serde::Serialize;

use crate::{
    Error, Result,
    refused::{Cause, Refused, call_error},
    request_id,
    settings::QueueUrls,
};

pub use crate::settings::QueueName;

const CALL_MAX_MESSAGES: usize = 10;
/// Maximum size of a call. Less than SQS's limit of 1 MiB.
const CALL_MAX_BYTES: usize = 900 * 1024;

/// The queues of the workers.
#[derive(Clone)]
pub struct Queues {
    client: Client,
    urls: QueueUrls,
}

/// A job for a worker. A job contains the IDs of rows. The worker reads the rows when it runs the job.
///
/// A job may be delivered twice. It may also be delivered after a deployment, so job types are added and retired, but
/// never changed.
pub trait Job: Serialize {
    /// Returns the job's queue.
    fn queue(&self) -> QueueName;
}

/// Declares job types, each with its queue. For a type whose jobs go to several queues, implement [`Job`] instead.
#[macro_export]
macro_rules! jobs {
    ($($job:ident: $queue:ident),+) => {$(
        impl $crate::Job for $job {
            fn queue(&self) -> $crate::QueueName {
                $crate::QueueName::$queue
            }
        }
    )+};
}

impl Queues {
    /// Creates a sender for the queues at these URLs.
    pub fn new(client: Client, urls: QueueUrls) -> Self {
        Self { client, urls }
    }

    /// Sends one job to its queue.
    pub async fn send<J: Job>(&self, job: &J) -> Result<()> {
        self.send_body(self.urls.of(job.queue())?, body(job)?).await.map(drop)
    }

    /// Sends jobs to their queues.
    ///
    /// # Errors
    /// Fails if a queue refuses a message. Other messages may have been sent.
    pub async fn send_jobs<J: Job>(&self, jobs: &[J]) -> Result<()> {
        let mut bodies: BTreeMap<QueueName, Vec<String>> = BTreeMap::new();
        for job in jobs {
            bodies.entry(job.queue()).or_default().push(body(job)?);
        }
        for (queue, bodies) in bodies {
            if !self.send_all(queue, &bodies).await.is_empty() {
                return Err(Error::internal(anyhow!("{queue:?} refused messages")));
            }
        }
        Ok(())
    }

    /// Sends messages to one queue. Returns the refused messages, and logs the causes.
    pub(crate) async fn send_all(&self, queue: QueueName, bodies: &[String]) -> Vec<Refused> {
        let calls = chunks(bodies).into_iter().map(async |(first, bodies)| {
            let refused = self.send_call(queue, bodies).await.into_iter();
            let refused = refused.map(|message| Refused { position: first + message.position, ..message });
            refused.collect::<Vec<_>>()
        });
        join_all(calls).await.concat()
    }

    async fn send_call(&self, queue: QueueName, bodies: &[String]) -> Vec<Refused> {
        self.try_send_call(queue, bodies).await.unwrap_or_else(|error| {
            tracing::error!(?queue, messages = bodies.len(), "failed to send messages: {error:?}");
            let cause = Cause::of_error(&error);
            (0..bodies.len()).map(|position| Refused { position, cause }).collect()
        })
    }

    async fn try_send_call(&self, queue: QueueName, bodies: &[String]) -> Result<Vec<Refused>> {
        let send = self.client.send_message_batch().queue_url(self.urls.of(queue)?);
        let entry = |(position, body): (usize, &String)| {
            SendMessageBatchRequestEntry::builder().id(position.to_string()).message_body(body).build()
        };
        let entries =
            bodies.iter().enumerate().map(entry).collect::<Result<_, _>>().map_err(Error::internal)?;
        let response = Box::pin(send.set_entries(Some(entries)).send()).await.map_err(call_error)?;
        let refused = response.failed().iter().filter_map(|entry| {
            tracing::error!(?queue, code = entry.code(), "failed to send a message");
            let cause = if entry.sender_fault() { Cause::Invalid } else { Cause::of_code(entry.code()) };
            Some(Refused { position: entry.id().parse().ok()?, cause })
        });
        Ok(refused.collect())
    }

    /// Sends one job to the dead-letter queue of its queue. Fails as [`Queues::give_up`] does.
    pub async fn send_to_dead_letters<J: Job>(&self, job: &J) -> Result<()> {
        self.give_up(self.urls.of(job.queue())?, body(job)?).await.map(drop)
    }

    /// Sends a message with this body to the dead-letter queue of `queue`. Returns the ID of the sent message.
    ///
    /// `queue` is the URL or ARN of a queue or a stream.
    ///
    /// # Errors
    /// Fails if `DEAD_LETTERS_URLS` lacks the queue, or if the dead-letter queue refuses the message.
    pub async fn give_up(&self, queue: &str, body: String) -> Result<String> {
        let url = self.urls.dead_letters.of(queue);
        let url = url.ok_or_else(|| Error::internal(anyhow!("DEAD_LETTERS_URLS does not name {queue}")))?;
        self.send_body(url, body).await
    }

    /// Sends a job to its queue, which delivers it after `seconds`, at most 900.
    pub async fn send_later<J: Job>(&self, job: &J, seconds: i32) -> Result<()> {
        let (url, body) = (self.urls.of(job.queue())?, body(job)?);
        let send = self.client.send_message().queue_url(url).message_body(body).delay_seconds(seconds);
        Box::pin(send.send()).await.map(drop).map_err(call_error)
    }

    async fn send_body(&self, url: &str, body: String) -> Result<String> {
        let send = self.client.send_message().queue_url(url).message_body(body).send();
        Ok(Box::pin(send).await.map_err(call_error)?.message_id.unwrap_or_default())
    }
}

/// Returns the body of a job's message, with the ID of the request that caused the job.
fn body(job: &impl Job) -> Result<String> {
    let mut body = serde_json::to_value(job)?;
    request_id::add(request_id::current().as_deref(), &mut body);
    Ok(body.to_string())
}

/// Splits messages into batches, one for each call. Returns each batch with the index of its first message.
fn chunks(bodies: &[String]) -> Vec<(usize, &[String])> {
    let (mut chunks, mut first, mut bytes) = (Vec::new(), 0, 0);
    for (position, body) in bodies.iter().enumerate() {
        if position - first == CALL_MAX_MESSAGES || (position > first && bytes + body.len() > CALL_MAX_BYTES)
        {
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
    fn a_call_is_limited_in_messages_and_bytes() {
        let sizes =
            |bodies: &[String]| chunks(bodies).iter().map(|(_, chunk)| chunk.len()).collect::<Vec<_>>();
        assert_eq!(sizes(&vec![String::new(); 21]), [10, 10, 1]);
        let big = "x".repeat(CALL_MAX_BYTES / 2);
        assert_eq!(sizes(&[big.clone(), big.clone(), big.clone()]), [2, 1]);
        assert_eq!(sizes(&["x".repeat(CALL_MAX_BYTES + 1), big]), [1, 1]);
        assert!(chunks(&[]).is_empty());
    }
}
