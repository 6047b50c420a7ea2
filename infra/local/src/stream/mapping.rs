//! Event-source mapping of a stream: delivers batches of records to a function.
//!
//! One batch is processed at a time. Records before the first failed record count as processed. The other records are
//! retried until they are processed, too old, or out of retries.

use std::{
    collections::VecDeque,
    sync::{Arc, MutexGuard},
    time::Duration,
};

use anyhow::{Context, Result};
use serde_json::{Value as Json, json};
use tokio::sync::Mutex;

use super::{
    backlog::Backlog,
    given_up::{Destination, GivenUp, Reason},
    record::{Record, sequence_number},
};
use crate::{
    call::call,
    clock::Clock,
    functions::StreamWork,
    lock::lock,
    recorder::{Payload, Watch},
    template::StreamSource,
};

/// Maximum number of remembered reports to the on-failure destination.
const PLACES_MAX: usize = 20;

/// Delivers the records of a stream to a function.
pub(crate) struct Mapping {
    pub(crate) name: String,
    pub(crate) source: StreamSource,
    pub(crate) backlog: Arc<Backlog>,
    /// Number of records on which the mapping gave up, and the queues or object paths of the last reports.
    pub(super) places: std::sync::Mutex<(usize, VecDeque<String>)>,
    pub(super) id: String,
    pub(super) function: String,
    pub(super) destination: Option<Destination>,
    pub(super) clock: Clock,
    pub(super) timeout: Duration,
    pub(super) work: StreamWork,
    pub(super) watch: Watch,
    /// Batches to retry, in the order of their records.
    pub(super) pending: Mutex<VecDeque<Batch>>,
}

pub(super) struct Batch {
    records: Vec<Arc<Record>>,
    retries: u64,
}

/// Result of one call of the function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Step {
    /// Number of records that the function processed.
    pub(crate) done: usize,
    /// Number of failed or expired records that are not retried.
    pub(crate) given_up: usize,
    /// Number of failed records that are retried.
    pub(crate) failed: usize,
    /// Number of previous retries of the failed records.
    pub(crate) retries: u64,
}

impl Mapping {
    /// Calls the function with the next batch: a batch to retry, or at most `max` new records.
    pub(crate) async fn step(&self, max: usize) -> Step {
        let mut pending = self.pending.lock().await;
        let next = || Batch { records: self.backlog.next(max), retries: 0 };
        let mut batch = pending.pop_front().unwrap_or_else(next);
        let expired = self.expired_count(&batch);
        if expired > 0 {
            let rest = batch.records.split_off(expired);
            if !rest.is_empty() {
                put_back(Batch { records: rest, ..batch }, &mut pending);
            }
            return self.give_up(&batch, Reason::RecordAgeExceeded);
        }
        if batch.records.is_empty() {
            return Step::default();
        }
        match self.call(&batch.records).await {
            Ok(done) if done == batch.records.len() => self.done(done),
            Ok(done) => self.continue_at(done, batch, &mut pending),
            Err(error) => {
                tracing::error!(mapping = self.name, %error, "failed to process a batch of records");
                self.retry_failed(batch, &mut pending)
            }
        }
    }

    /// Calls the function. Returns the number of records before the first failed record.
    pub(crate) async fn call(&self, records: &[Arc<Record>]) -> Result<usize> {
        let images: Vec<_> = records.iter().map(|record| &record.json).collect();
        let (event, work) = (json!({ "Records": images }), Arc::clone(&self.work));
        let (count, payload) = (records.len(), Payload::Records(records.len()));
        let read = |answer: Result<Json>| {
            let answer = answer?;
            if self.source.reports_failures() { first_failure(&answer, records) } else { Ok(count) }
        };
        call((&self.watch, self.timeout), payload, move || work(event), read, |done| count - done).await
    }

    pub(super) fn places(&self) -> MutexGuard<'_, (usize, VecDeque<String>)> {
        lock(&self.places)
    }

    fn done(&self, done: usize) -> Step {
        self.backlog.remove(done);
        Step { done, ..Step::default() }
    }

    /// Removes the records before `position`, and delivers the other records again. This counts as a retry if
    /// `position` is 0 or the mapping does not bisect batches.
    fn continue_at(&self, position: usize, mut batch: Batch, pending: &mut VecDeque<Batch>) -> Step {
        let rest = batch.records.split_off(position);
        self.backlog.remove(position);
        let batch = Batch { records: rest, ..batch };
        let step = if position > 0 && self.source.bisect_batch_on_function_error {
            put_back(batch, pending)
        } else {
            self.retry(batch, pending)
        };
        Step { done: position, ..step }
    }

    /// Retries a batch that failed as a whole. If the mapping bisects batches, delivers each half again separately.
    fn retry_failed(&self, mut batch: Batch, pending: &mut VecDeque<Batch>) -> Step {
        if !self.source.bisect_batch_on_function_error || batch.records.len() == 1 {
            return self.retry(batch, pending);
        }
        let half = batch.records.split_off(batch.records.len() / 2);
        let (half, retries) = (Batch { records: half, ..batch }, batch.retries);
        let failed = put_back(half, pending).failed;
        let first = put_back(Batch { records: batch.records, retries }, pending);
        Step { failed: failed + first.failed, ..first }
    }

    fn retry(&self, batch: Batch, pending: &mut VecDeque<Batch>) -> Step {
        if self.source.retries().is_some_and(|max| batch.retries >= max) {
            return self.give_up(&batch, Reason::RetryAttemptsExhausted);
        }
        put_back(Batch { retries: batch.retries + 1, ..batch }, pending)
    }

    /// Returns how many records at the start of the batch are too old.
    fn expired_count(&self, batch: &Batch) -> usize {
        let (now, max) = (self.clock.now(), self.source.age_max());
        let is_old = |record: &&Arc<Record>| record.created.saturating_add(max).is_ok_and(|end| end < now);
        batch.records.iter().take_while(is_old).count()
    }

    fn give_up(&self, batch: &Batch, reason: Reason) -> Step {
        let given_up = GivenUp {
            mapping: &self.id,
            function: &self.function,
            stream: &self.source.stream,
            records: &batch.records,
            reason,
            calls: batch.retries + u64::from(matches!(reason, Reason::RetryAttemptsExhausted)),
            now: self.clock.now(),
        };
        let place = self.destination.as_ref().map(|destination| destination.report(&given_up)).transpose();
        let place =
            place.inspect_err(|error| {
                tracing::error!(mapping = self.name, %error, "failed to report stream records to the on-failure destination");
            });
        let mut places = self.places();
        places.0 += batch.records.len();
        places.1.extend(place.ok().flatten());
        if places.1.len() > PLACES_MAX {
            places.1.pop_front();
        }
        drop(places);
        self.backlog.remove(batch.records.len());
        Step { given_up: batch.records.len(), ..Step::default() }
    }
}

/// Returns the position of the first failed record in the batch, or the batch's length.
/// Fails if the response names an unknown record. As on Lambda, the whole batch then counts as failed.
fn first_failure(answer: &Json, batch: &[Arc<Record>]) -> Result<usize> {
    let mut first = batch.len();
    for failure in answer["batchItemFailures"].as_array().into_iter().flatten() {
        let identifier = failure["itemIdentifier"].as_str();
        let position =
            batch.iter().position(|record| Some(sequence_number(record.sequence).as_str()) == identifier);
        let position =
            position.with_context(|| format!("the function reports {failure}, which is not in the batch"));
        first = first.min(position?);
    }
    Ok(first)
}

fn put_back(batch: Batch, pending: &mut VecDeque<Batch>) -> Step {
    let (failed, retries) = (batch.records.len(), batch.retries);
    pending.push_front(batch);
    Step { failed, retries, ..Step::default() }
}
