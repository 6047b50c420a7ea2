//! When messages and records reach their functions: as they come, or all at once until nothing is left.

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

/// Beyond this a worker feeds itself.
const ROUNDS_MAX: usize = 1_000;
/// So often in a row a function of a stream may fail while everything is delivered.
const PATIENCE: usize = 50;

/// Whether messages reach workers by themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Delivery {
    /// As they come.
    #[default]
    Automatic,
    /// Only in [`Stack::settle`](crate::Stack::settle).
    Manual,
}

/// What a network does to messages: another order, other batches, everything at least twice.
#[derive(Clone, Copy, Debug)]
pub struct Chaos {
    /// The same seed makes the same mess.
    pub seed: u64,
}

/// What settling did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Messages that a worker took, duplicates included.
    pub delivered: usize,
    /// Deliveries that failed.
    pub failed: usize,
    /// Messages that went to the dead letters.
    pub dead: usize,
    /// Messages still there, because a worker kept sending itself more.
    pub left: usize,
    /// The records of streams.
    pub stream: StreamReport,
}

impl Report {
    /// Counts a batch, and messages that went to the dead letters.
    fn add(&mut self, batch: &Outcome, dead: usize) {
        self.delivered += batch.done.len();
        self.failed += batch.failed;
        self.dead += dead;
    }
}

/// All mappings, and the gate that lets one settle alone.
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

    /// Starts delivering messages and records as they come.
    pub(crate) fn spawn(&self, tasks: &mut JoinSet<()>) {
        self.streams.spawn(tasks, &self.gate);
        for mapping in self.mappings.iter() {
            for _ in 0..mapping.concurrency {
                tasks.spawn(self.clone().pump(mapping.clone()));
            }
        }
    }

    /// Lets what is being delivered finish, and holds back the rest while the answer is kept.
    pub(crate) async fn pause(&self) -> OwnedRwLockWriteGuard<()> {
        Arc::clone(&self.gate).write_owned().await
    }

    async fn pump(self, mapping: Mapping) {
        while self.queues.until_visible(&mapping.queue).await.is_ok() {
            if let Some(window) = mapping.window {
                tokio::time::sleep(window).await;
            }
            let _open = self.gate.read().await;
            if let Err(error) = mapping.deliver_next(&self.queues).await {
                tracing::error!(queue = mapping.queue, %error, "a batch is stuck");
            }
        }
    }

    /// Delivers what is visible and what comes of it; what fails waits for its timeout.
    pub(crate) async fn drain(&self) -> Result<Report> {
        self.deliver_all(1, |_| Ok(())).await
    }

    /// Delivers until nothing is visible or in flight; what fails comes again at once, until it is dead.
    pub(crate) async fn settle(&self) -> Result<Report> {
        self.deliver_all(PATIENCE, |mapping| Ok(self.queues.hurry(&mapping.queue)?)).await
    }

    async fn deliver_all(&self, patience: usize, prepare: impl Fn(&Mapping) -> Result<()>) -> Result<Report> {
        let _alone = self.gate.write().await;
        let (mut report, mut records) = (Report::default(), self.streams.settling(patience));
        for _ in 0..ROUNDS_MAX {
            let before = report;
            records.round(&mut report.stream).await;
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

    /// Delivers what one queue has, and what its worker sends to itself: with as many batches side by side as there are
    /// workers for it.
    pub(crate) async fn drain_queue(&self, queue: &str) -> Result<Report> {
        let _alone = self.gate.write().await;
        let mut report = Report::default();
        for mapping in self.mappings.iter().filter(|it| it.queue == queue) {
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

    /// Hands the functions of streams what waits for them.
    pub(crate) async fn drain_streams(&self) -> StreamReport {
        let _alone = self.gate.write().await;
        let mut report = StreamReport::default();
        self.streams.settling(1).round(&mut report).await;
        report
    }

    /// Settles the hard way.
    pub(crate) async fn settle_in(&self, chaos: Chaos) -> Result<Report> {
        let _alone = self.gate.write().await;
        let mut random = StdRng::seed_from_u64(chaos.seed);
        let mut again = vec![Vec::new(); self.mappings.len()];
        let (mut report, mut records) = (Report::default(), self.streams.settling(PATIENCE));
        for _ in 0..ROUNDS_MAX {
            let before = report;
            records.mess_up(&mut random, &mut report.stream).await;
            let mut order: Vec<_> = (0..self.mappings.len()).collect();
            order.shuffle(&mut random);
            for position in order {
                self.mess_up(position, &mut again[position], &mut random, &mut report).await?;
            }
            if report == before && again.iter().all(Vec::is_empty) {
                break;
            }
        }
        self.with_left(report)
    }

    /// One round of one mapping: new messages among those of the last round, which come a second time.
    async fn mess_up(
        &self,
        position: usize,
        again: &mut Vec<Received>,
        random: &mut StdRng,
        report: &mut Report,
    ) -> Result<()> {
        let mapping = &self.mappings[position];
        self.queues.hurry(&mapping.queue)?;
        let batch = self.queues.receive(&mapping.queue, usize::MAX, None)?;
        report.dead += batch.dead;
        let seen: Vec<_> = again.iter().map(|received| received.receipt.clone()).collect();
        let mut pool = std::mem::take(again);
        pool.extend(batch.messages);
        pool.shuffle(random);
        while !pool.is_empty() {
            let size = random.random_range(1..=mapping.batch_size).min(pool.len());
            let outcome = mapping.deliver(&self.queues, pool.split_off(pool.len() - size)).await?;
            report.add(&outcome, 0);
            again.extend(outcome.done.into_iter().filter(|received| !seen.contains(&received.receipt)));
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
