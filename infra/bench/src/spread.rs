//! How long things took: half of them, and almost all of them.

use std::time::Duration;

use serde::Serialize;

/// Milliseconds.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct Spread {
    pub(crate) p50: f64,
    pub(crate) p99: f64,
}

impl Spread {
    pub(crate) fn of(mut took: Vec<Duration>) -> Self {
        took.sort_unstable();
        let percentile = |percent: usize| {
            let position = (took.len() * percent / 100).min(took.len().saturating_sub(1));
            took.get(position).map_or(0.0, |it| it.as_secs_f64() * 1000.0)
        };
        Self { p50: percentile(50), p99: percentile(99) }
    }
}
