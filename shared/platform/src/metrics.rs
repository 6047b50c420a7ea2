//! Metrics: one log line in CloudWatch's embedded metric format for each request or batch.
//!
//! The names are those of `infra/dashboard.yaml`. Without [`init`], as in tests, nothing is recorded.

use std::{
    sync::OnceLock,
    time::{Duration, Instant},
};

use aws_sdk_dynamodb::types::ConsumedCapacity;
use metrics::{Unit, counter, describe_histogram, histogram};
use metrics_cloudwatch_embedded::{Builder, Collector};

const NAMESPACE: &str = "Social";
const REQUESTS: &str = "Requests";
const SERVER_ERRORS: &str = "ServerErrors";
const LATENCY: &str = "Latency";
/// Twice the read units: they come in halves, and a counter takes whole numbers.
const READ_HALF_UNITS: &str = "ReadHalfUnits";
const WRITE_UNITS: &str = "WriteUnits";
const LAG: &str = "Lag";
const TICK_SIZE: &str = "TickSize";
const JUDGE_TIME: &str = "JudgeTime";
const TIMES: [&str; 3] = [LATENCY, LAG, JUDGE_TIME];

static COLLECTOR: OnceLock<&Collector> = OnceLock::new();

/// Starts recording, under the function's name.
pub fn init() {
    let function = lambda_runtime::Config::from_env().function_name;
    match Builder::new().cloudwatch_namespace(NAMESPACE).with_dimension("Function", function).init() {
        Ok(collector) => {
            TIMES.into_iter().for_each(|it| describe_histogram!(it, Unit::Milliseconds, ""));
            // A second start in one process keeps the first collector.
            let _ = COLLECTOR.set(collector);
        }
        Err(error) => tracing::warn!("no metrics are recorded: {error}"),
    }
}

/// Writes what was recorded since the last call: a Lambda may freeze for good afterwards.
pub fn flush() {
    if let Some(collector) = COLLECTOR.get()
        && let Err(error) = collector.flush(std::io::stdout().lock())
    {
        tracing::warn!("metrics are lost: {error}");
    }
}

/// Records an answered request.
pub fn request(failed: bool, took: Duration) {
    counter!(REQUESTS).increment(1);
    counter!(SERVER_ERRORS).increment(u64::from(failed));
    histogram!(LATENCY).record(millis(took));
}

/// Records a batch, and how long its oldest message waited.
pub fn batch(waited: Duration) {
    histogram!(LAG).record(millis(waited));
}

/// Records how many pending notifications a tick found.
pub fn tick(size: usize) {
    histogram!(TICK_SIZE).record(size as f64);
}

/// Records how long a judge takes.
pub async fn judging<T>(thought: impl Future<Output = T>) -> T {
    let started = Instant::now();
    let judged = thought.await;
    histogram!(JUDGE_TIME).record(millis(started.elapsed()));
    judged
}

/// Records the cost of a read.
pub(crate) fn reads<'a>(consumed: impl IntoIterator<Item = &'a ConsumedCapacity>) {
    counter!(READ_HALF_UNITS).increment((units(consumed) * 2.0) as u64);
}

/// Records the cost of a write.
pub(crate) fn writes<'a>(consumed: impl IntoIterator<Item = &'a ConsumedCapacity>) {
    counter!(WRITE_UNITS).increment(units(consumed) as u64);
}

fn units<'a>(consumed: impl IntoIterator<Item = &'a ConsumedCapacity>) -> f64 {
    consumed.into_iter().filter_map(ConsumedCapacity::capacity_units).sum()
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
