//! Delivers stream records until none is left or functions keep failing.

use serde::Serialize;

use super::{Streams, mapping::Step};

/// Maximum number of calls of a function. The limit stops functions that endlessly write to their own stream.
const STEPS_MAX: usize = 10_000;

/// Result for stream records in a [`Report`](crate::Report).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StreamReport {
    /// Number of records that functions processed, including duplicates.
    pub delivered: usize,
    /// Number of failed deliveries of records.
    pub failed: usize,
    /// Number of records that are no longer retried, because they were too old or out of retries.
    pub given_up: usize,
    /// Number of unprocessed records.
    pub left: usize,
}

/// Delivers all stream records, with a limit on consecutive failures.
pub(crate) struct Settling<'a> {
    pub(super) streams: &'a Streams,
    /// Number of consecutive failures after which a mapping is skipped.
    failures_max: usize,
    /// Number of consecutive failures of each mapping.
    failures: Vec<usize>,
}

impl Settling<'_> {
    /// Delivers all records, including records that functions add during delivery.
    pub(crate) async fn deliver(&mut self, report: &mut StreamReport) {
        for mapping in 0..self.streams.0.len() {
            let max = self.streams.0[mapping].source.batch_size;
            for _ in 0..STEPS_MAX {
                if self.step(mapping, max, report).await == Step::default() {
                    break;
                }
            }
        }
    }

    /// Calls the mapping's function once, unless the function has failed too often. Adds the result to `report`.
    pub(super) async fn step(&mut self, mapping: usize, max: usize, report: &mut StreamReport) -> Step {
        let failures = &mut self.failures[mapping];
        if *failures >= self.failures_max {
            return Step::default();
        }
        let step = self.streams.0[mapping].step(max).await;
        *failures = if step.failed > 0 && step.done == 0 { *failures + 1 } else { 0 };
        report.delivered += step.done;
        report.failed += step.failed;
        report.given_up += step.given_up;
        step
    }
}

impl Streams {
    pub(crate) fn settling(&self, failures_max: usize) -> Settling<'_> {
        Settling { streams: self, failures_max, failures: vec![0; self.0.len()] }
    }

    pub(crate) fn left(&self) -> usize {
        self.0.iter().map(|mapping| mapping.backlog.len()).sum()
    }
}
