//! An event-source mapping of a stream: batches of its records to a function, and what became of them.
//!
//! One batch is under way at a time. What is before the first record that failed is done, and what follows
//! comes again, until it is done, too old, or tried as often as the mapping says.

use std::{
    collections::VecDeque,
    sync::{Arc, MutexGuard, PoisonError},
    time::Duration,
};

use anyhow::{Context, Result};
use serde_json::{Value as Json, json};
use tokio::sync::Mutex;

use super::{
    backlog::Backlog,
    given_up::{Destination, GivenUp, Why},
    record::{Record, sequence_number},
};
use crate::{
    call::call,
    clock::Clock,
    functions::StreamWork,
    recorder::{Brought, Ended, Watch},
    sqs,
    template::StreamSource,
};

/// So many places of records that were given up are remembered.
const PLACES_MAX: usize = 20;

/// A stream and the function that it calls.
pub(crate) struct Mapping {
    pub(crate) name: String,
    pub(crate) source: StreamSource,
    pub(crate) backlog: Arc<Backlog>,
    /// How many records were given up, and where the last of them are.
    pub(super) places: std::sync::Mutex<(usize, VecDeque<String>)>,
    pub(super) id: String,
    pub(super) function: String,
    pub(super) destination: Option<Destination>,
    pub(super) clock: Clock,
    pub(super) timeout: Duration,
    pub(super) work: StreamWork,
    pub(super) watch: Watch,
    pub(super) under_way: Mutex<VecDeque<Batch>>,
}

/// The first records, and how often they were tried again.
pub(super) struct Batch {
    records: Vec<Arc<Record>>,
    retries: u64,
}

/// What one call came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Step {
    /// Records that the function did.
    pub(crate) done: usize,
    /// Records that nobody tries any more.
    pub(crate) given_up: usize,
    /// Records that come again.
    pub(crate) failed: usize,
    /// How often these were tried again so far.
    pub(crate) retries: u64,
}

impl Mapping {
    /// Calls the function with the next batch, of so many records at most. Nothing happens where there is
    /// none.
    pub(crate) async fn step(&self, most: usize) -> Step {
        let mut under_way = self.under_way.lock().await;
        let next = || Batch { records: self.backlog.next(most), retries: 0 };
        let mut batch = under_way.pop_front().unwrap_or_else(next);
        let old = self.old(&batch);
        if old > 0 {
            let rest = batch.records.split_off(old);
            if !rest.is_empty() {
                put_back(Batch { records: rest, ..batch }, &mut under_way);
            }
            return self.give_up(&batch, Why::Old);
        }
        if batch.records.is_empty() {
            return Step::default();
        }
        match self.call(&batch.records).await {
            Ok(done) if done == batch.records.len() => self.done(done),
            Ok(done) => self.go_on_at(done, batch, &mut under_way),
            Err(error) => {
                tracing::error!(mapping = self.name, %error, "a batch of records failed");
                self.again(batch, &mut under_way)
            }
        }
    }

    /// Calls the function with records, and returns how many of the first are done.
    pub(crate) async fn call(&self, records: &[Arc<Record>]) -> Result<usize> {
        let shown: Vec<_> = records.iter().map(|record| &record.json).collect();
        let (event, work) = (json!({ "Records": shown }), Arc::clone(&self.work));
        let running = self.watch.begin(sqs::uuid());
        let called = call(Arc::clone(&running), self.timeout, move || work(event));
        let done = async {
            let answer = called.await??;
            if self.source.reports_failures() { first_failure(&answer, records) } else { Ok(records.len()) }
        };
        let ended = |it: &Result<usize>| {
            it.as_ref().map_or_else(Ended::broke, |done| Ended::Done(records.len() - done))
        };
        self.watch.follow(running, Brought::Records(records.len()), done, ended).await
    }

    pub(super) fn places(&self) -> MutexGuard<'_, (usize, VecDeque<String>)> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn done(&self, done: usize) -> Step {
        self.backlog.done(done);
        Step { done, ..Step::default() }
    }

    /// What is before a record is done. Cutting it off is no retry, where the mapping divides batches.
    fn go_on_at(&self, position: usize, mut batch: Batch, under_way: &mut VecDeque<Batch>) -> Step {
        let rest = batch.records.split_off(position);
        self.backlog.done(position);
        let batch = Batch { records: rest, ..batch };
        let step = if position > 0 && self.source.bisect_batch_on_function_error {
            put_back(batch, under_way)
        } else {
            self.try_again(batch, under_way)
        };
        Step { done: position, ..step }
    }

    /// The whole batch failed: its halves come again, if the mapping divides batches.
    fn again(&self, mut batch: Batch, under_way: &mut VecDeque<Batch>) -> Step {
        if !self.source.bisect_batch_on_function_error || batch.records.len() == 1 {
            return self.try_again(batch, under_way);
        }
        let half = batch.records.split_off(batch.records.len() / 2);
        let (half, retries) = (Batch { records: half, ..batch }, batch.retries);
        let failed = put_back(half, under_way).failed;
        let first = put_back(Batch { records: batch.records, retries }, under_way);
        Step { failed: failed + first.failed, ..first }
    }

    fn try_again(&self, batch: Batch, under_way: &mut VecDeque<Batch>) -> Step {
        if self.source.retries().is_some_and(|most| batch.retries >= most) {
            return self.give_up(&batch, Why::Tried);
        }
        put_back(Batch { retries: batch.retries + 1, ..batch }, under_way)
    }

    /// How many of the first records are too old to be handed to the function.
    fn old(&self, batch: &Batch) -> usize {
        let (now, most) = (self.clock.now(), self.source.age_max());
        let is_old = |record: &&Arc<Record>| record.created.saturating_add(most).is_ok_and(|end| end < now);
        batch.records.iter().take_while(is_old).count()
    }

    fn give_up(&self, batch: &Batch, why: Why) -> Step {
        let given_up = GivenUp {
            mapping: &self.id,
            function: &self.function,
            stream: &self.source.stream,
            records: &batch.records,
            why,
            calls: batch.retries + u64::from(matches!(why, Why::Tried)),
            now: self.clock.now(),
        };
        let place = self.destination.as_ref().map(|it| it.take(&given_up)).transpose();
        let place =
            place.inspect_err(|error| tracing::error!(mapping = self.name, %error, "records are lost"));
        let mut places = self.places();
        places.0 += batch.records.len();
        places.1.extend(place.ok().flatten());
        if places.1.len() > PLACES_MAX {
            places.1.pop_front();
        }
        drop(places);
        self.backlog.done(batch.records.len());
        Step { given_up: batch.records.len(), ..Step::default() }
    }
}

/// Returns the position of the first record that the answer names: what is before it is done.
///
/// # Errors
/// The answer names something else. As on Lambda, nothing is done then.
fn first_failure(answer: &Json, batch: &[Arc<Record>]) -> Result<usize> {
    let mut first = batch.len();
    for failure in answer["batchItemFailures"].as_array().into_iter().flatten() {
        let named = failure["itemIdentifier"].as_str();
        let position = batch.iter().position(|it| Some(sequence_number(it.sequence).as_str()) == named);
        let position =
            position.with_context(|| format!("the function names {failure}, which is not in the batch"));
        first = first.min(position?);
    }
    Ok(first)
}

fn put_back(batch: Batch, under_way: &mut VecDeque<Batch>) -> Step {
    let (failed, retries) = (batch.records.len(), batch.retries);
    under_way.push_front(batch);
    Step { failed, retries, ..Step::default() }
}
