//! Records the calls of functions with their payloads, costs and results.

use std::{
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use jiff::Timestamp;
use platform::outcomes;
use tokio::time::Instant;

use super::{Recorder, truncate};

tokio::task_local! {
    static RUNNING: Arc<RunningCall>;
}

/// Records the calls of one function.
#[derive(Clone)]
pub(crate) struct Watch {
    pub(super) recorder: Recorder,
    pub(super) function: Arc<str>,
}

pub(crate) enum Payload {
    /// Method and path of a request.
    Request(String),
    /// Number of messages, and the name of their queue.
    Messages(usize, String),
    /// Number of stream records.
    Records(usize),
}

pub(crate) enum CallResult {
    /// The function responded with this HTTP status.
    Answered(u16),
    /// The function processed a batch, with this number of failed messages or records.
    Done(usize),
    /// The call ended without a response, for this reason.
    Failed(String),
}

/// A started call of a function.
pub(crate) struct RunningCall {
    pub(super) recorder: Recorder,
    pub(crate) function: Arc<str>,
    pub(crate) id: String,
    calls: AtomicU64,
    units: OnceLock<Units>,
}

/// Table units that a call consumed, as logged by the function.
#[derive(Clone, Copy, Default)]
pub(crate) struct Units {
    pub(crate) read: f64,
    pub(crate) write: f64,
}

pub(crate) struct Invocation {
    pub(crate) running: Arc<RunningCall>,
    pub(crate) at: Timestamp,
    pub(crate) payload: Payload,
    pub(crate) result: CallResult,
    pub(crate) took: Duration,
}

impl Watch {
    pub(crate) fn begin(&self, id: String) -> Arc<RunningCall> {
        let (recorder, function) = (self.recorder.clone(), Arc::clone(&self.function));
        Arc::new(RunningCall { recorder, function, id, calls: AtomicU64::new(0), units: OnceLock::new() })
    }

    pub(crate) async fn follow<T>(
        &self,
        running: Arc<RunningCall>,
        payload: Payload,
        work: impl Future<Output = T>,
        result: impl FnOnce(&T) -> CallResult,
    ) -> T {
        let (at, start) = (self.recorder.now(), Instant::now());
        let output = work.await;
        let (result, took) = (result(&output), start.elapsed());
        self.recorder.add_invocation(Invocation { running, at, payload, result, took });
        output
    }
}

impl RunningCall {
    /// Runs `work`, and assigns its table calls, log lines and outcomes to this call.
    pub(crate) async fn scope<T>(self: Arc<Self>, work: impl Future<Output = T>) -> T {
        let (output, outcomes) = RUNNING.scope(Arc::clone(&self), outcomes::collect(work)).await;
        self.recorder.add_outcomes(&self.function, outcomes);
        output
    }

    /// Returns the call that runs in this task, or `None`.
    pub(super) fn current() -> Option<Arc<Self>> {
        RUNNING.try_with(Arc::clone).ok()
    }

    pub(crate) fn calls(&self) -> u64 {
        self.calls.load(Ordering::Relaxed)
    }

    /// Returns the consumed units, or `None` if they have not been logged yet.
    pub(crate) fn units(&self) -> Option<Units> {
        self.units.get().copied()
    }

    pub(super) fn set_units(&self, units: Units) {
        // A call logs its units only once, so this cannot fail.
        let _ = self.units.set(units);
    }
}

impl CallResult {
    pub(crate) fn is_failure(&self) -> bool {
        match self {
            Self::Answered(status) => *status >= 500,
            Self::Done(failed) => *failed > 0,
            Self::Failed(_) => true,
        }
    }

    /// Creates the result of a function call without a response.
    pub(crate) fn failed(error: &anyhow::Error) -> Self {
        Self::Failed(truncate(&format!("{error:#}")))
    }
}

/// Counts a table call of the function that runs in this task.
pub(crate) fn count_call() {
    let _ = RUNNING.try_with(|running| running.calls.fetch_add(1, Ordering::Relaxed));
}
