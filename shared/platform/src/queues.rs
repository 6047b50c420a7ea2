//! The queues of the workers.
//!
//! A request sends its jobs before it answers, because a Lambda freezes afterwards. A request fails when its job
//! was not sent; the repeated request sends it again, and a job may be done twice.

use anyhow::anyhow;
use aws_sdk_sqs::Client;
use serde::Serialize;

use crate::{
    error::{Error, Result},
    settings::{QueueUrls, required},
};

/// The queues of the workers.
#[derive(Clone)]
pub struct Queues {
    client: Client,
    urls: QueueUrls,
}

/// A job for a worker. Its message holds identifiers: the worker reads the rows when it runs. A message may
/// arrive twice and late, so kinds of jobs are added and retired, never changed.
pub trait Job: Serialize {
    /// Returns the address of the job's queue, and the variable that holds it.
    fn queue<'a>(&self, urls: &'a QueueUrls) -> (&'a Option<String>, &'static str);
}

impl Queues {
    /// Makes the queues at these addresses.
    pub fn new(client: Client, urls: QueueUrls) -> Self {
        Self { client, urls }
    }

    /// Sends one job to its queue. Costs 1 call.
    ///
    /// # Errors
    /// Fails when the queue did not accept it.
    pub async fn send<J: Job>(&self, job: &J) -> Result<()> {
        let (url, variable) = job.queue(&self.urls);
        let body = serde_json::to_string(job)?;
        self.send_body(required(url, variable)?, body).await.map(drop)
    }

    /// Sends one job to the dead letters of its queue. Costs 1 call.
    ///
    /// # Errors
    /// Fails when the function has no address of them, or they did not accept it.
    pub async fn send_to_dead_letters<J: Job>(&self, job: &J) -> Result<()> {
        let (url, variable) = job.queue(&self.urls);
        let body = serde_json::to_string(job)?;
        self.give_up(required(url, variable)?, body).await.map(drop)
    }

    /// Puts a message into the dead letters of its queue as SQS does: with the same body. Returns the id that it has
    /// there. Costs 1 call. The queue is named by its address or its ARN.
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
        Ok(send.await.map_err(Error::internal)?.message_id.unwrap_or_default())
    }
}
