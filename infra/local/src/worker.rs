//! Event-source mapping of a queue: delivers batches of messages to a worker.

use std::{collections::HashSet, sync::Arc, time::Duration};

use anyhow::{Result, bail};
use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent};
use serde_json::json;

use crate::{
    account::{REGION, name_in},
    call::call,
    functions::Work,
    recorder::{Payload, Watch},
    sqs::{self, Queues, Received},
    template::Source,
};

/// Maximum time to collect messages for a batch.
const WINDOW_MAX: Duration = Duration::from_millis(250);

#[derive(Clone)]
pub(crate) struct Mapping {
    pub(crate) queue: String,
    pub(crate) batch_size: usize,
    pub(crate) concurrency: usize,
    /// Time to collect messages for a batch. `None` delivers messages immediately.
    pub(crate) window: Option<Duration>,
    arn: String,
    reports_failures: bool,
    timeout: Duration,
    work: Work,
    watch: Watch,
}

#[derive(Default)]
pub(crate) struct Outcome {
    pub(crate) done: Vec<Received>,
    pub(crate) failed: usize,
}

/// Returns the number of cores, which limits the number of workers. More workers would slow down requests.
fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

impl Mapping {
    pub(crate) fn new(source: &Source, work: Work, timeout: Duration, watch: Watch) -> Self {
        let window = source.window().map(|window| window.min(WINDOW_MAX));
        // If two workers collected batches, each would get half of the messages.
        let workers = if window.is_some() { 1 } else { cores() };
        Self {
            queue: name_in(&source.queue).to_owned(),
            batch_size: source.batch_size,
            concurrency: source.scaling_config.maximum_concurrency.min(workers),
            window,
            arn: source.queue.clone(),
            reports_failures: source.reports_failures(),
            timeout,
            work,
            watch,
        }
    }

    /// Delivers one batch of visible messages. Returns the batch's outcome and the number of new dead letters.
    pub(crate) async fn deliver_next(&self, queues: &Queues) -> Result<(Outcome, usize)> {
        let batch = queues.receive(&self.queue, self.batch_size, None)?;
        Ok((self.deliver(queues, batch.messages).await?, batch.dead))
    }

    /// Calls the worker, and deletes processed messages. Failed messages stay in flight until their visibility
    /// timeouts.
    pub(crate) async fn deliver(&self, queues: &Queues, batch: Vec<Received>) -> Result<Outcome> {
        if batch.is_empty() {
            return Ok(Outcome::default());
        }
        let failures = self.call(&batch).await;
        let is_done =
            |received: &Received| failures.as_ref().is_some_and(|ids| !ids.contains(&received.message.id));
        let (done, failed): (Vec<_>, Vec<_>) = batch.into_iter().partition(is_done);
        queues.delete(&self.queue, &done)?;
        Ok(Outcome { done, failed: failed.len() })
    }

    /// Calls the worker. Returns the IDs of failed messages, or `None` if all messages failed.
    async fn call(&self, batch: &[Received]) -> Option<HashSet<String>> {
        let (event, work) = (self.event(batch).ok()?, Arc::clone(&self.work));
        let payload = Payload::Messages(batch.len(), self.queue.clone());
        let read = |response| self.failures(batch, response);
        let failures =
            call((&self.watch, self.timeout), payload, move || work(event), read, HashSet::len).await;
        failures
            .inspect_err(|error| tracing::error!(queue = self.queue, %error, "failed to process a batch"))
            .ok()
    }

    fn failures(&self, batch: &[Received], response: SqsBatchResponse) -> Result<HashSet<String>> {
        if !self.reports_failures {
            return Ok(HashSet::new());
        }
        let sent: HashSet<_> = batch.iter().map(|received| received.message.id.as_str()).collect();
        let failed: HashSet<_> =
            response.batch_item_failures.into_iter().map(|item| item.item_identifier).collect();
        if let Some(unknown) = failed.iter().find(|id| !sent.contains(id.as_str())) {
            bail!("the worker reports `{unknown}`, which is not in the batch");
        }
        Ok(failed)
    }

    fn event(&self, batch: &[Received]) -> Result<SqsEvent> {
        let records: Vec<_> = batch.iter().map(|received| self.record(received)).collect();
        Ok(serde_json::from_value(json!({ "Records": records }))?)
    }

    fn record(&self, received: &Received) -> serde_json::Value {
        let message = &received.message;
        json!({
            "messageId": message.id,
            "receiptHandle": received.receipt,
            "body": message.body,
            "md5OfBody": sqs::body_md5(&message.body),
            "attributes": sqs::system(message),
            "messageAttributes": sqs::lambda_attributes(&message.attributes),
            "eventSource": "aws:sqs",
            "eventSourceARN": self.arn,
            "awsRegion": REGION,
        })
    }
}
