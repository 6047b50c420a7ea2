//! Measures the cost of requests and batches for the log, and records CloudWatch metrics.
//!
//! CloudWatch charges for metrics, but not for fields in log lines. So metrics exist only for alarms and
//! `infra/dashboard.yaml`. Metrics are log lines in the embedded metric format. Without [`init`], no metrics are
//! recorded.

use std::{
    cell::Cell,
    io::Write,
    sync::OnceLock,
    time::{Duration, Instant},
};

use metrics::{Unit, counter, describe_histogram, histogram};
use metrics_cloudwatch_embedded::{Builder, Collector};

const NAMESPACE: &str = "Social";
const TICK_SIZE: &str = "TickSize";
const JUDGE_TIME: &str = "JudgeTime";
const FAILED_MESSAGES: &str = "FailedMessages";

static COLLECTOR: OnceLock<&Collector> = OnceLock::new();

tokio::task_local! {
    /// Read and write units that the current work has consumed.
    static UNITS: Cell<(f64, f64)>;
}

/// The cost of a request or a batch.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WorkCost {
    /// Read units of the table and its indexes.
    pub read_units: f64,
    /// Write units of the table and its indexes.
    pub write_units: f64,
    /// Duration of the work.
    pub took: Duration,
}

impl WorkCost {
    /// Returns the duration in whole milliseconds.
    pub fn millis(&self) -> u64 {
        self.took.as_millis() as u64
    }
}

/// Runs `work`, and returns its result and cost.
pub async fn measure<T>(work: impl Future<Output = T>) -> (T, WorkCost) {
    let started = Instant::now();
    let counted = async { (work.await, UNITS.with(Cell::get)) };
    let (result, (read_units, write_units)) = UNITS.scope(Cell::default(), counted).await;
    (result, WorkCost { read_units, write_units, took: started.elapsed() })
}

/// Starts recording metrics. Their dimension is the name of the stack.
pub fn init() {
    init_for(&lambda_runtime::Config::from_env().log_group);
}

/// Starts recording metrics of a function with this log group, `/aws/lambda/STACK/FUNCTION`.
pub fn init_for(log_group: &str) {
    let stack = log_group.rsplit('/').nth(1).unwrap_or_default().to_owned();
    match Builder::new().cloudwatch_namespace(NAMESPACE).with_dimension("Stack", stack).init() {
        Ok(collector) => {
            describe_histogram!(JUDGE_TIME, Unit::Milliseconds, "");
            // If the process calls this function again, the first collector remains.
            let _ = COLLECTOR.set(collector);
        }
        Err(error) => tracing::warn!("failed to set up metrics: {error}"),
    }
}

/// Writes the metrics that were recorded since the last call. Call this function after each batch, because Lambda may
/// never resume the instance.
pub fn flush() {
    flush_to(std::io::stdout().lock());
}

/// Writes the metrics as [`flush`] does, but to `writer`.
pub fn flush_to(writer: impl Write) {
    if let Some(collector) = COLLECTOR.get()
        && let Err(error) = collector.flush(writer)
    {
        tracing::warn!("failed to write metrics: {error}");
    }
}

/// Records the number of pending notifications that an invocation found. Call this function at most once per
/// invocation, because the collector stores only 100 values.
pub fn tick(size: usize) {
    histogram!(TICK_SIZE).record(size as f64);
}

/// Counts a message or record that failed. Lambda's metric `Errors` counts only failures of whole invocations, so the
/// alarm that rolls back deployments needs this metric.
pub fn failed_message() {
    counter!(FAILED_MESSAGES).increment(1);
}

/// Runs the work of a judge, and records its duration as a metric.
pub async fn time_judge<T>(work: impl Future<Output = T>) -> T {
    let started = Instant::now();
    let judgment = work.await;
    histogram!(JUDGE_TIME).record(started.elapsed().as_secs_f64() * 1000.0);
    judgment
}

pub(crate) fn reads(units: f64) {
    count((units, 0.0));
}

pub(crate) fn writes(units: f64) {
    count((0.0, units));
}

/// Adds read and write units to the current work. Does nothing outside of [`measure`].
fn count((read, write): (f64, f64)) {
    let _ = UNITS.try_with(|units| units.set((units.get().0 + read, units.get().1 + write)));
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn metrics_have_the_name_of_the_stack() {
        init_for("/aws/lambda/social-prod/LikeSync");
        failed_message();
        failed_message();
        let mut written = Vec::new();
        flush_to(&mut written);
        let line: Value = serde_json::from_slice(&written).unwrap();
        assert_eq!((&line["Stack"], &line["FailedMessages"]), (&"social-prod".into(), &2.into()));
        let metrics = &line["_aws"]["CloudWatchMetrics"][0];
        assert_eq!(metrics["Namespace"], "Social");
        assert_eq!(metrics["Dimensions"], serde_json::json!([["Stack"]]));
    }
}
