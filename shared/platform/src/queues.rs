//! Work that a request leaves for later.
//!
//! A request sends before it answers, because a Lambda freezes afterwards. A send that fails fails
//! the request; repeating the request sends again, and every job can be done twice.

use aws_sdk_sqs::Client;
use serde::Serialize;

use crate::{
    error::{Error, Result},
    settings::{QueueUrls, required},
};

/// The queues, through the AWS SDK.
#[derive(Clone)]
pub struct Queues {
    client: Client,
    urls: QueueUrls,
}

/// Something a worker may be asked to do. A message carries identifiers: the worker reads what is
/// true when it runs. It may arrive twice and late, so jobs are added and retired, never changed.
pub trait Job: Serialize {
    /// The job's queue: its address, and the variable that should hold it.
    fn queue<'a>(&self, urls: &'a QueueUrls) -> (&'a Option<String>, &'static str);
}

impl Queues {
    /// Speaks to SQS through `client`, of the queues at these addresses.
    pub fn new(client: Client, urls: QueueUrls) -> Self {
        Self { client, urls }
    }

    /// Puts one job on its queue. 1 call.
    ///
    /// # Errors
    /// Internal, when the queue did not take it.
    pub async fn send<J: Job>(&self, job: &J) -> Result<()> {
        let (url, variable) = job.queue(&self.urls);
        let url = required(url, variable)?;
        let body = serde_json::to_string(job)?;
        let send = self.client.send_message().queue_url(url).message_body(body).send();
        send.await.map(drop).map_err(Error::internal)
    }
}
