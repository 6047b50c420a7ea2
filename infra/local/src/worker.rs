//! An event-source mapping: batches of a queue to a worker, and what became of each message.

use std::{collections::HashSet, sync::Arc, time::Duration};

use anyhow::{Result, bail};
use aws_lambda_events::sqs::{SqsBatchResponse, SqsEvent};
use serde_json::json;

use crate::{
    account::REGION,
    call::call,
    functions::Work,
    recorder::{Brought, Ended, Watch},
    sqs::{self, Queues, Received},
    template::Source,
};

/// A developer waits no longer than this for a batch to grow.
const WINDOW_MAX: Duration = Duration::from_millis(250);
const REPORTS_FAILURES: &str = "ReportBatchItemFailures";

/// A queue and the worker that consumes it.
#[derive(Clone)]
pub(crate) struct Mapping {
    pub(crate) queue: String,
    pub(crate) batch_size: usize,
    pub(crate) concurrency: usize,
    /// How long a batch may grow, if it may.
    pub(crate) window: Option<Duration>,
    arn: String,
    reports_failures: bool,
    timeout: Duration,
    work: Work,
    watch: Watch,
}

/// How many messages of a batch were done, and how many were not.
#[derive(Default)]
pub(crate) struct Outcome {
    pub(crate) done: Vec<Received>,
    pub(crate) failed: usize,
}

/// More workers than cores only stand in each other's way, and in that of requests.
fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

impl Mapping {
    pub(crate) fn new(source: &Source, work: Work, timeout: Duration, watch: Watch) -> Self {
        let window = source.window().map(|it| it.min(WINDOW_MAX));
        // Two that wait for a batch to grow would only take from each other's.
        let workers = if window.is_some() { 1 } else { cores() };
        Self {
            queue: source.queue.rsplit(':').next().unwrap_or_default().to_owned(),
            batch_size: source.batch_size,
            concurrency: source.scaling_config.maximum_concurrency.min(workers),
            window,
            arn: source.queue.clone(),
            reports_failures: source.function_response_types.iter().any(|kind| kind == REPORTS_FAILURES),
            timeout,
            work,
            watch,
        }
    }

    /// Takes one batch of what is visible and delivers it; also says how many went to the dead letters.
    pub(crate) async fn deliver_next(&self, queues: &Queues) -> Result<(Outcome, usize)> {
        let batch = queues.receive(&self.queue, self.batch_size, None)?;
        Ok((self.deliver(queues, batch.messages).await?, batch.dead))
    }

    /// Calls the worker and deletes what it did; what failed stays in flight until its timeout.
    pub(crate) async fn deliver(&self, queues: &Queues, batch: Vec<Received>) -> Result<Outcome> {
        if batch.is_empty() {
            return Ok(Outcome::default());
        }
        let failures = self.call(&batch).await;
        let is_done = |it: &Received| failures.as_ref().is_some_and(|all| !all.contains(&it.message.id));
        let (done, failed): (Vec<_>, Vec<_>) = batch.into_iter().partition(is_done);
        queues.delete(&self.queue, &done)?;
        Ok(Outcome { done, failed: failed.len() })
    }

    /// The ids of the messages that failed; `None` if all did.
    async fn call(&self, batch: &[Received]) -> Option<HashSet<String>> {
        let (event, work) = (self.event(batch).ok()?, Arc::clone(&self.work));
        let running = self.watch.begin(sqs::uuid());
        let called = call(Arc::clone(&running), self.timeout, move || work(event));
        let done = async { called.await.and_then(|response| self.failures(batch, response)) };
        let brought = Brought::Messages(batch.len(), self.queue.clone());
        let failures = self.watch.follow(running, brought, done, ended).await;
        failures.inspect_err(|error| tracing::error!(queue = self.queue, %error, "a batch failed")).ok()
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

fn ended(failures: &Result<HashSet<String>>) -> Ended {
    failures.as_ref().map_or_else(Ended::broke, |it| Ended::Done(it.len()))
}
