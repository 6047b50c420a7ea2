//! Measurements: what a request or a batch costs, for its line in the log, and the metrics that somebody watches.
//!
//! A metric is paid for by the month and by the function, a field of a log line is not; so only what an alarm or
//! the dashboard shows is a metric, by the names of `infra/dashboard.yaml`. Metrics are log lines in CloudWatch's
//! embedded metric format. Without [`init`], as in tests, none is recorded.

use std::{
    cell::Cell,
    sync::OnceLock,
    time::{Duration, Instant},
};

use metrics::{Unit, describe_histogram, histogram};
use metrics_cloudwatch_embedded::{Builder, Collector};

const NAMESPACE: &str = "Social";
const TICK_SIZE: &str = "TickSize";
const JUDGE_TIME: &str = "JudgeTime";

static COLLECTOR: OnceLock<&Collector> = OnceLock::new();

tokio::task_local! {
    /// The read and the write units that the work under way has consumed.
    static UNITS: Cell<(f64, f64)>;
}

/// What some work cost.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WorkCost {
    /// Read units of the table and its indexes.
    pub read_units: f64,
    /// Write units of the table and its indexes.
    pub write_units: f64,
    /// How long it took.
    pub took: Duration,
}

impl WorkCost {
    /// Returns how long the work took, in whole milliseconds.
    pub fn millis(&self) -> u64 {
        self.took.as_millis() as u64
    }
}

/// Does some work, and returns what it cost.
pub async fn measure<T>(work: impl Future<Output = T>) -> (T, WorkCost) {
    let started = Instant::now();
    let counted = async { (work.await, UNITS.with(Cell::get)) };
    let (done, (read_units, write_units)) = UNITS.scope(Cell::default(), counted).await;
    (done, WorkCost { read_units, write_units, took: started.elapsed() })
}

/// Starts recording metrics, under the function's name.
pub fn init() {
    let function = lambda_runtime::Config::from_env().function_name;
    match Builder::new().cloudwatch_namespace(NAMESPACE).with_dimension("Function", function).init() {
        Ok(collector) => {
            describe_histogram!(JUDGE_TIME, Unit::Milliseconds, "");
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

/// Records how many pending notifications a tick found: once an invocation, because the collector takes a hundred
/// values.
pub fn tick(size: usize) {
    histogram!(TICK_SIZE).record(size as f64);
}

/// Records how long a judge takes.
pub async fn judging<T>(thought: impl Future<Output = T>) -> T {
    let started = Instant::now();
    let judged = thought.await;
    histogram!(JUDGE_TIME).record(started.elapsed().as_secs_f64() * 1000.0);
    judged
}

/// Counts the units of a read.
pub(crate) fn reads(units: f64) {
    count((units, 0.0));
}

/// Counts the units of a write.
pub(crate) fn writes(units: f64) {
    count((0.0, units));
}

/// Work that nobody measures is not counted: a start, a tool.
fn count((read, write): (f64, f64)) {
    let _ = UNITS.try_with(|it| it.set((it.get().0 + read, it.get().1 + write)));
}
