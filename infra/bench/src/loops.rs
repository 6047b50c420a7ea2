//! Closed loops: so many clients, each of whom asks again when it was answered. They show what a processor can do.

use std::{
    sync::atomic::{AtomicUsize, Ordering},
    time::{Duration, Instant},
};

use anyhow::Result;
use futures::future::try_join_all;
use serde::Serialize;

use crate::{
    operations::{Operation, Turn},
    people::answer,
    scene::Scene,
    spread::Spread,
};

/// What came of it.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct Looped {
    pub(crate) per_second: f64,
    pub(crate) took: Spread,
}

/// Asks `numbers` of an operation, by so many at a time.
pub(crate) async fn ask(
    scene: &Scene,
    operation: &Operation,
    numbers: std::ops::Range<usize>,
    at_once: usize,
) -> Result<Looped> {
    let (next, start) = (AtomicUsize::new(numbers.start), Instant::now());
    let client = async || -> Result<Vec<Duration>> {
        let mut took = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= numbers.end {
                return Ok(took);
            }
            let begin = Instant::now();
            once(scene, operation, number).await?;
            took.push(begin.elapsed());
        }
    };
    let took = try_join_all((0..at_once).map(|_| client())).await?.concat();
    let per_second = took.len() as f64 / start.elapsed().as_secs_f64();
    Ok(Looped { per_second, took: Spread::of(took) })
}

/// Asks once, and returns the bytes of the answer.
pub(crate) async fn once(scene: &Scene, operation: &Operation, number: usize) -> Result<usize> {
    let answer = answer((operation.ask)(&Turn { scene, number })).await?;
    Ok(answer.to_string().len())
}
