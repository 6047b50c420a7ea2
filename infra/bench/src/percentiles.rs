//! Percentiles of latencies.

use std::time::Duration;

use serde::Serialize;

/// Percentiles in milliseconds.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct Percentiles {
    pub(crate) p50: f64,
    pub(crate) p99: f64,
}

impl Percentiles {
    pub(crate) fn of(mut latencies: Vec<Duration>) -> Self {
        latencies.sort_unstable();
        let percentile = |percent: usize| {
            let index = (latencies.len() * percent / 100).min(latencies.len().saturating_sub(1));
            latencies.get(index).map_or(0.0, |latency| latency.as_secs_f64() * 1000.0)
        };
        Self { p50: percentile(50), p99: percentile(99) }
    }
}
