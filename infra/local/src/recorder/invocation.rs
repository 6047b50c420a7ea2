//! A function's call: what it was given, what it cost, how it ended.

use std::{
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use jiff::Timestamp;
use tokio::time::Instant;

use super::{Recorder, cut};

tokio::task_local! {
    /// The call under way in this task.
    static RUNNING: Arc<Running>;
}

/// Follows the calls of one function.
#[derive(Clone)]
pub(crate) struct Watch {
    recorder: Recorder,
    function: Arc<str>,
}

/// What a call was given.
pub(crate) enum Brought {
    /// A request, by its method and path.
    Request(String),
    /// So many messages of a queue.
    Messages(usize, String),
    /// So many records of a stream.
    Records(usize),
}

/// How a call ended.
pub(crate) enum Ended {
    /// With this status.
    Answered(u16),
    /// With so many messages or records that come again.
    Done(usize),
    /// Without an answer.
    Broke(String),
}

/// A call under way.
pub(crate) struct Running {
    pub(super) recorder: Recorder,
    pub(crate) function: Arc<str>,
    /// The id of the request; one of its own for a batch.
    pub(crate) id: String,
    calls: AtomicU64,
    units: OnceLock<Units>,
}

/// The units of the table that a call consumed, as its log says.
#[derive(Clone, Copy, Default)]
pub(crate) struct Units {
    pub(crate) read: f64,
    pub(crate) write: f64,
}

/// A call that has ended.
pub(crate) struct Invocation {
    pub(crate) running: Arc<Running>,
    pub(crate) at: Timestamp,
    pub(crate) brought: Brought,
    pub(crate) ended: Ended,
    pub(crate) took: Duration,
}

impl Watch {
    pub(super) fn new(recorder: Recorder, function: &str) -> Self {
        Self { recorder, function: function.into() }
    }

    /// Begins a call.
    pub(crate) fn begin(&self, id: String) -> Arc<Running> {
        let (recorder, function) = (self.recorder.clone(), Arc::clone(&self.function));
        Arc::new(Running { recorder, function, id, calls: AtomicU64::new(0), units: OnceLock::new() })
    }

    /// Does what a call does, and remembers how it ended.
    pub(crate) async fn follow<T>(
        &self,
        running: Arc<Running>,
        brought: Brought,
        work: impl Future<Output = T>,
        ended: impl FnOnce(&T) -> Ended,
    ) -> T {
        let (at, start) = (self.recorder.now(), Instant::now());
        let done = work.await;
        let (ended, took) = (ended(&done), start.elapsed());
        self.recorder.keep(Invocation { running, at, brought, ended, took });
        done
    }
}

impl Running {
    /// Does work in which calls to the table and log lines are this call's.
    pub(crate) async fn scope<T>(self: Arc<Self>, work: impl Future<Output = T>) -> T {
        RUNNING.scope(self, work).await
    }

    /// Returns the call under way in this task, if there is one.
    pub(super) fn current() -> Option<Arc<Self>> {
        RUNNING.try_with(Arc::clone).ok()
    }

    /// The calls to the table so far.
    pub(crate) fn calls(&self) -> u64 {
        self.calls.load(Ordering::Relaxed)
    }

    /// The units, once its log has said them.
    pub(crate) fn units(&self) -> Option<Units> {
        self.units.get().copied()
    }

    pub(super) fn consumed(&self, units: Units) {
        // A call has one line of what it cost.
        let _ = self.units.set(units);
    }
}

impl Ended {
    /// Whether an operator would want to know.
    pub(crate) fn is_failure(&self) -> bool {
        match self {
            Self::Answered(status) => *status >= 500,
            Self::Done(failed) => *failed > 0,
            Self::Broke(_) => true,
        }
    }

    /// A call that ended without an answer, and why.
    pub(crate) fn broke(error: &anyhow::Error) -> Self {
        Self::Broke(cut(&format!("{error:#}")))
    }
}

/// Counts a call to the table, in a function that is followed.
pub(crate) fn count_call() {
    let _ = RUNNING.try_with(|it| it.calls.fetch_add(1, Ordering::Relaxed));
}
