//! What is measured: metrics in the logs, in CloudWatch's embedded format, a line for each request or batch.
//!
//! Names are those of `infra/dashboard.yaml`. Where nothing was started, as in tests, they go nowhere.

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
/// Twice the read units, which come in halves; a counter takes whole numbers.
const READ_HALF_UNITS: &str = "ReadHalfUnits";
const WRITE_UNITS: &str = "WriteUnits";
const LAG: &str = "Lag";
const TICK_SIZE: &str = "TickSize";
const JUDGE_TIME: &str = "JudgeTime";
const TIMES: [&str; 3] = [LATENCY, LAG, JUDGE_TIME];

static COLLECTOR: OnceLock<&Collector> = OnceLock::new();

/// Starts measuring, under the name that Lambda gave the function.
pub fn init() {
    let function = lambda_runtime::Config::from_env().function_name;
    match Builder::new().cloudwatch_namespace(NAMESPACE).with_dimension("Function", function).init() {
        Ok(collector) => {
            TIMES.into_iter().for_each(|it| describe_histogram!(it, Unit::Milliseconds, ""));
            // A second start in one process keeps the first collector.
            let _ = COLLECTOR.set(collector);
        }
        Err(error) => tracing::warn!("nothing is measured: {error}"),
    }
}

/// Writes down what was measured since the last time: a Lambda may freeze for good afterwards.
pub fn flush() {
    if let Some(collector) = COLLECTOR.get()
        && let Err(error) = collector.flush(std::io::stdout().lock())
    {
        tracing::warn!("what was measured is lost: {error}");
    }
}

/// A request was answered.
pub fn request(failed: bool, took: Duration) {
    counter!(REQUESTS).increment(1);
    counter!(SERVER_ERRORS).increment(u64::from(failed));
    histogram!(LATENCY).record(millis(took));
}

/// A batch was done: how long ago its oldest message was sent.
pub fn batch(waited: Duration) {
    histogram!(LAG).record(millis(waited));
}

/// A tick found so many pending notifications.
pub fn tick(size: usize) {
    histogram!(TICK_SIZE).record(size as f64);
}

/// Measures how long a judge thinks.
pub async fn judging<T>(thought: impl Future<Output = T>) -> T {
    let started = Instant::now();
    let judged = thought.await;
    histogram!(JUDGE_TIME).record(millis(started.elapsed()));
    judged
}

/// What a read of the table cost.
pub(crate) fn reads<'a>(consumed: impl IntoIterator<Item = &'a ConsumedCapacity>) {
    counter!(READ_HALF_UNITS).increment((units(consumed) * 2.0) as u64);
}

/// What a write to the table cost.
pub(crate) fn writes<'a>(consumed: impl IntoIterator<Item = &'a ConsumedCapacity>) {
    counter!(WRITE_UNITS).increment(units(consumed) as u64);
}

fn units<'a>(consumed: impl IntoIterator<Item = &'a ConsumedCapacity>) -> f64 {
    consumed.into_iter().filter_map(ConsumedCapacity::capacity_units).sum()
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}
