//! Closed loops: each client sends its next request when it receives a response. The loops measure the highest rate of
//! requests.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::{Duration, Instant},
};

use anyhow::Result;
use futures::future::try_join_all;
use serde::Serialize;

use crate::{operations::Operation, people::answer, scene::Scene, turn::Turn};

/// Rate and latency of an operation.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct Throughput {
    pub(crate) per_second: f64,
    pub(crate) latency: Percentiles,
}

/// Percentiles of latencies, in milliseconds.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct Percentiles {
    pub(crate) p50: f64,
    pub(crate) p99: f64,
}

impl Percentiles {
    fn of(mut latencies: Vec<Duration>) -> Self {
        latencies.sort_unstable();
        let percentile = |percent: usize| {
            let index = (latencies.len() * percent / 100).min(latencies.len().saturating_sub(1));
            latencies.get(index).map_or(0.0, |latency| latency.as_secs_f64() * 1000.0)
        };
        Self { p50: percentile(50), p99: percentile(99) }
    }
}

/// Sends one request for each number in `numbers`. `concurrency` requests are in progress at a time.
pub(crate) async fn run(
    scene: &Scene,
    operation: &Operation,
    numbers: std::ops::Range<usize>,
    concurrency: usize,
) -> Result<Throughput> {
    let (next, start) = (AtomicUsize::new(numbers.start), Instant::now());
    let client = async || -> Result<Vec<Duration>> {
        let mut latencies = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= numbers.end {
                return Ok(latencies);
            }
            let sent = Instant::now();
            once(scene, operation, number).await?;
            latencies.push(sent.elapsed());
        }
    };
    let latencies = try_join_all((0..concurrency).map(|_| client())).await?.concat();
    let per_second = latencies.len() as f64 / start.elapsed().as_secs_f64();
    Ok(Throughput { per_second, latency: Percentiles::of(latencies) })
}

/// Sends one request. Returns the size of its response in bytes.
pub(crate) async fn once(scene: &Scene, operation: &Operation, number: usize) -> Result<usize> {
    let answer = answer((operation.request)(&Turn { scene, number })).await?;
    Ok(answer.to_string().len())
}
