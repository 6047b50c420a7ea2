//! Work that a request leaves for later.
//!
//! A request sends before it answers, because a Lambda freezes afterwards. A send that fails fails
//! the request; repeating the request sends again, and every job can be done twice.

use aws_sdk_sqs::Client;
use serde::Serialize;

use crate::{
    error::{Error, Result},
    settings::required,
};

/// The queues, through the AWS SDK.
#[derive(Clone)]
pub struct Queues(Client);

/// Something a worker may be asked to do. A message carries identifiers: the worker reads what is
/// true when it runs. It may arrive twice and late, so jobs are added and retired, never changed.
pub trait Job: Serialize {
    /// The variable that says where the job's queue is, for the error when it does not.
    const VARIABLE: &'static str;

    /// The job's queue.
    fn queue(urls: &crate::settings::QueueUrls) -> &Option<String>;
}

impl Queues {
    /// Speaks to SQS through `client`.
    pub fn new(client: Client) -> Self {
        Self(client)
    }

    /// Puts one job on its queue. 1 call.
    ///
    /// # Errors
    /// Internal, when the queue did not take it.
    pub async fn send<J: Job>(&self, app: &crate::App, job: &J) -> Result<()> {
        let url = required(J::queue(&app.settings.queues), J::VARIABLE)?;
        let body = serde_json::to_string(job)?;
        let send = self.0.send_message().queue_url(url).message_body(body).send();
        send.await.map(drop).map_err(Error::internal)
    }
}
