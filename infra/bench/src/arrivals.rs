//! Fixed arrival rates: each request begins at its time, whether those before it were answered or not. Its latency
//! counts from that time, so that waiting is seen.

use std::time::{Duration, Instant};

use anyhow::Result;
use futures::{TryStreamExt, stream::FuturesUnordered};
use serde::Serialize;

use crate::{loops::once, operations::Operation, scene::Scene, spread::Spread};

/// What came of it.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct Arrived {
    pub(crate) rate: f64,
    pub(crate) took: Spread,
}

/// Asks `numbers` of an operation, so many a second.
pub(crate) async fn ask(
    scene: &Scene,
    operation: &Operation,
    numbers: std::ops::Range<usize>,
    rate: f64,
) -> Result<Arrived> {
    let start = Instant::now();
    let requests: FuturesUnordered<_> = numbers
        .enumerate()
        .map(|(position, number)| async move {
            let due = start + Duration::from_secs_f64(position as f64 / rate);
            tokio::time::sleep_until(due.into()).await;
            once(scene, operation, number).await?;
            anyhow::Ok(due.elapsed())
        })
        .collect();
    Ok(Arrived { rate, took: Spread::of(requests.try_collect().await?) })
}
