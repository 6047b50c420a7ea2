//! Delivers messages and records to functions, automatically or on demand.

use std::sync::Arc;

use anyhow::Result;
use futures::future::try_join_all;
use rand::{RngExt, SeedableRng, rngs::StdRng, seq::SliceRandom};
use serde::Serialize;
use tokio::{
    sync::{OwnedRwLockWriteGuard, RwLock},
    task::JoinSet,
};

use crate::{
    sqs::{Queues, Received},
    stream::{self, StreamReport, Streams},
    worker::{Mapping, Outcome},
};

/// Maximum number of iterations. The limit stops workers that endlessly send messages to themselves.
const ITERATIONS_MAX: usize = 1_000;
/// Number of consecutive failures after which a stream's function is skipped.
const STREAM_FAILURES_MAX: usize = 50;

/// When messages and records are delivered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Delivery {
    /// Immediately.
    #[default]
    Automatic,
    /// Before the response of each write, so that the next request reads all effects.
    WithWrites,
    /// Only on demand, for example by [`Stack::settle`](crate::Stack::settle).
    Manual,
}

/// Delivers all messages at least twice, in random order and in random batches.
#[derive(Clone, Copy, Debug)]
pub struct Chaos {
    /// Seed of the random numbers. The same seed results in the same deliveries.
    pub seed: u64,
}

/// Result of a delivery.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Number of processed messages, including duplicates.
    pub delivered: usize,
    /// Number of failed deliveries.
    pub failed: usize,
    /// Number of messages moved to dead-letter queues.
    pub dead: usize,
    /// Number of messages that are still visible or in flight.
    pub left: usize,
    /// Result for stream records.
    pub stream: StreamReport,
}

impl Report {
    /// Adds the outcome of a batch, and the number of its messages that moved to a dead-letter queue.
    fn add(&mut self, batch: &Outcome, dead: usize) {
        self.delivered += batch.done.len();
        self.failed += batch.failed;
        self.dead += dead;
    }
}

/// All event-source mappings. Locking `gate` pauses automatic deliveries.
#[derive(Clone)]
pub(crate) struct Deliveries {
    pub(crate) mappings: Arc<[Mapping]>,
    pub(crate) streams: Streams,
    pub(crate) queues: Queues,
    gate: Arc<RwLock<()>>,
}

impl Deliveries {
    pub(crate) fn new(mappings: Vec<Mapping>, streams: Vec<stream::Mapping>, queues: Queues) -> Self {
        Self { mappings: mappings.into(), streams: Streams(streams.into()), queues, gate: Arc::default() }
    }

    pub(crate) fn spawn(&self, tasks: &mut JoinSet<()>) {
        self.streams.spawn(tasks, &self.gate);
        for mapping in self.mappings.iter() {
            for _ in 0..mapping.concurrency {
                tasks.spawn(self.clone().pump(mapping.clone()));
            }
        }
    }

    /// Waits for deliveries in progress. Pauses further deliveries until the returned guard is dropped.
    pub(crate) async fn pause(&self) -> OwnedRwLockWriteGuard<()> {
        Arc::clone(&self.gate).write_owned().await
    }

    async fn pump(self, mapping: Mapping) {
        while self.queues.wait_until_visible(&mapping.queue).await.is_ok() {
            if let Some(window) = mapping.window {
                tokio::time::sleep(window).await;
            }
            let _open = self.gate.read().await;
            if let Err(error) = mapping.deliver_next(&self.queues).await {
                tracing::error!(queue = mapping.queue, %error, "failed to deliver a batch");
            }
        }
    }

    /// Delivers visible messages and their follow-ups. Failed messages are retried only after their visibility
    /// timeouts.
    pub(crate) async fn drain(&self) -> Result<Report> {
        self.deliver_all(1, |_| Ok(())).await
    }

    /// Delivers messages until none is visible or in flight. Failed messages are retried immediately until they become
    /// dead letters.
    pub(crate) async fn settle(&self) -> Result<Report> {
        self.deliver_all(STREAM_FAILURES_MAX, |mapping| Ok(self.queues.expire_visibility(&mapping.queue)?))
            .await
    }

    async fn deliver_all(
        &self,
        stream_failures_max: usize,
        prepare: impl Fn(&Mapping) -> Result<()>,
    ) -> Result<Report> {
        let _guard = self.gate.write().await;
        let (mut report, mut records) = (Report::default(), self.streams.settling(stream_failures_max));
        for _ in 0..ITERATIONS_MAX {
            let before = report;
            records.deliver(&mut report.stream).await;
            for mapping in self.mappings.iter() {
                prepare(mapping)?;
                let (outcome, dead) = mapping.deliver_next(&self.queues).await?;
                report.add(&outcome, dead);
            }
            if report == before {
                break;
            }
        }
        self.with_left(report)
    }

    /// Delivers the messages of one queue, including messages that the worker sends to the same queue.
    pub(crate) async fn drain_queue(&self, queue: &str) -> Result<Report> {
        let _guard = self.gate.write().await;
        let mut report = Report::default();
        for mapping in self.mappings.iter().filter(|mapping| mapping.queue == queue) {
            let workers = (0..mapping.concurrency).map(|_| self.drain_mapping(mapping));
            for drained in try_join_all(workers).await? {
                report.delivered += drained.delivered;
                report.failed += drained.failed;
                report.dead += drained.dead;
            }
        }
        Ok(report)
    }

    async fn drain_mapping(&self, mapping: &Mapping) -> Result<Report> {
        let mut report = Report::default();
        loop {
            let (outcome, dead) = mapping.deliver_next(&self.queues).await?;
            report.add(&outcome, dead);
            if outcome.done.is_empty() {
                return Ok(report);
            }
        }
    }

    pub(crate) async fn drain_streams(&self) -> StreamReport {
        let _guard = self.gate.write().await;
        let mut report = StreamReport::default();
        self.streams.settling(1).deliver(&mut report).await;
        report
    }

    /// Works like `settle`, but delivers all messages and records at least twice.
    pub(crate) async fn settle_with_chaos(&self, chaos: Chaos) -> Result<Report> {
        let _guard = self.gate.write().await;
        let mut random = StdRng::seed_from_u64(chaos.seed);
        let mut repeated = vec![Vec::new(); self.mappings.len()];
        let (mut report, mut records) = (Report::default(), self.streams.settling(STREAM_FAILURES_MAX));
        for _ in 0..ITERATIONS_MAX {
            let before = report;
            records.deliver_with_chaos(&mut random, &mut report.stream).await;
            let mut order: Vec<_> = (0..self.mappings.len()).collect();
            order.shuffle(&mut random);
            for position in order {
                self.deliver_with_chaos(position, &mut repeated[position], &mut random, &mut report).await?;
            }
            if report == before && repeated.iter().all(Vec::is_empty) {
                break;
            }
        }
        self.with_left(report)
    }

    /// Delivers the new messages of a mapping together with the messages in `repeated`. Afterwards, `repeated` contains
    /// the new messages that the worker processed.
    async fn deliver_with_chaos(
        &self,
        position: usize,
        repeated: &mut Vec<Received>,
        random: &mut StdRng,
        report: &mut Report,
    ) -> Result<()> {
        let mapping = &self.mappings[position];
        self.queues.expire_visibility(&mapping.queue)?;
        let batch = self.queues.receive(&mapping.queue, usize::MAX, None)?;
        report.dead += batch.dead;
        let seen: Vec<_> = repeated.iter().map(|received| received.receipt.clone()).collect();
        let mut pool = std::mem::take(repeated);
        pool.extend(batch.messages);
        pool.shuffle(random);
        while !pool.is_empty() {
            let size = random.random_range(1..=mapping.batch_size).min(pool.len());
            let outcome = mapping.deliver(&self.queues, pool.split_off(pool.len() - size)).await?;
            report.add(&outcome, 0);
            repeated.extend(outcome.done.into_iter().filter(|received| !seen.contains(&received.receipt)));
        }
        Ok(())
    }

    fn with_left(&self, mut report: Report) -> Result<Report> {
        for mapping in self.mappings.iter() {
            let counts = self.queues.counts(&mapping.queue)?;
            report.left += counts.visible + counts.in_flight;
        }
        report.stream.left = self.streams.left();
        Ok(report)
    }
}
