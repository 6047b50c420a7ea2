//! Delivering records until none is left, or none that its function does.

use serde::Serialize;

use super::{Streams, mapping::Step};

/// Beyond this a function feeds itself.
const STEPS_MAX: usize = 10_000;

/// What settling did with the records of streams.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StreamReport {
    /// Records that a function did, duplicates included.
    pub delivered: usize,
    /// Deliveries of records that failed.
    pub failed: usize,
    /// Records that were tried too often or became too old.
    pub given_up: usize,
    /// Records still there.
    pub left: usize,
}

/// One time of delivering everything.
pub(crate) struct Settling<'a> {
    pub(super) streams: &'a Streams,
    /// How often a function may fail in a row before it is left alone.
    patience: usize,
    /// By mapping.
    failures: Vec<usize>,
}

impl Settling<'_> {
    /// Delivers what waits and what comes of it.
    pub(crate) async fn round(&mut self, report: &mut StreamReport) {
        for mapping in 0..self.streams.0.len() {
            let most = self.streams.0[mapping].source.batch_size;
            for _ in 0..STEPS_MAX {
                if self.step(mapping, most, report).await == Step::default() {
                    break;
                }
            }
        }
    }

    /// One call, unless the function failed too often.
    pub(super) async fn step(&mut self, mapping: usize, most: usize, report: &mut StreamReport) -> Step {
        let failures = &mut self.failures[mapping];
        if *failures >= self.patience {
            return Step::default();
        }
        let step = self.streams.0[mapping].step(most).await;
        *failures = if step.failed > 0 && step.done == 0 { *failures + 1 } else { 0 };
        report.delivered += step.done;
        report.failed += step.failed;
        report.given_up += step.given_up;
        step
    }
}

impl Streams {
    pub(crate) fn settling(&self, patience: usize) -> Settling<'_> {
        Settling { streams: self, patience, failures: vec![0; self.0.len()] }
    }

    /// How many records wait.
    pub(crate) fn left(&self) -> usize {
        self.0.iter().map(|mapping| mapping.backlog.waiting()).sum()
    }
}
