//! Recent activity for the console: requests, invocations, log lines, events and objects.
//!
//! The record is in memory and has a bounded size. Bodies, headers and queries of requests are not recorded.

mod invocation;
mod layer;
mod ring;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, Mutex, MutexGuard, OnceLock},
    time::Duration,
};

use jiff::Timestamp;
use lambda_http::http::{Method, StatusCode};

pub(crate) use invocation::{CallResult, Invocation, Payload, RunningCall, Watch, count_call};
use layer::LogLayer;
pub(crate) use ring::{Numbered, Ring};

use crate::{clock::Clock, lock::lock};

/// Maximum number of recorded requests, log lines, events and objects, each.
const ENTRIES_MAX: usize = 500;
const INVOCATIONS_MAX: usize = 25;
const NOTICES_MAX: usize = 50;
const TEXT_MAX_CHARS: usize = 4_000;

/// Recent activity of one stack. Clones share the record.
#[derive(Clone, Default)]
pub struct Recorder(Arc<Memory>);

pub(crate) struct Memory {
    clock: OnceLock<Clock>,
    pub(crate) requests: Ring<Request>,
    pub(crate) lines: Ring<Line>,
    pub(crate) events: Ring<Event>,
    pub(crate) objects: Ring<Stored>,
    /// Notices that the console shows on the next page.
    pub(crate) notices: Ring<String>,
    functions: Mutex<BTreeMap<String, Function>>,
}

pub(crate) struct Request {
    pub(crate) at: Timestamp,
    pub(crate) method: Method,
    /// Path without the query.
    pub(crate) path: String,
    pub(crate) status: StatusCode,
    pub(crate) took: Duration,
    /// The function call, or `None` if no function was called.
    pub(crate) invocation: Option<Arc<RunningCall>>,
}

pub(crate) struct Line {
    pub(crate) at: Option<Timestamp>,
    pub(crate) level: tracing::Level,
    /// Name of the function, or `None` if the stack itself logged the line.
    pub(crate) function: Option<String>,
    /// Request ID of the function call, if a function logged the line.
    pub(crate) id: Option<String>,
    pub(crate) message: String,
    pub(crate) fields: Vec<(&'static str, String)>,
}

pub(crate) struct Event {
    pub(crate) at: Timestamp,
    pub(crate) kind: EventKind,
    pub(crate) name: String,
    /// Channels of a push, or queues that received the event from the bus.
    pub(crate) to: Vec<String>,
    pub(crate) data: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum EventKind {
    /// An event on the EventBridge bus, for functions.
    Bus,
    /// An event that the push provider sends to clients.
    Push,
}

pub(crate) struct Stored {
    pub(crate) at: Timestamp,
    /// `put` or `deleted`.
    pub(crate) action: &'static str,
    pub(crate) path: String,
    pub(crate) content_type: String,
    pub(crate) size: usize,
}

#[derive(Clone, Default)]
pub(crate) struct Function {
    pub(crate) calls: u64,
    pub(crate) failed: u64,
    /// Outcomes of the function's jobs, from [`platform::outcomes`].
    outcomes: BTreeSet<String>,
    /// Last invocations, oldest first.
    pub(crate) last: std::collections::VecDeque<Arc<Invocation>>,
}

impl Default for Memory {
    fn default() -> Self {
        Self {
            clock: OnceLock::new(),
            requests: Ring::new(ENTRIES_MAX),
            lines: Ring::new(ENTRIES_MAX),
            events: Ring::new(ENTRIES_MAX),
            objects: Ring::new(ENTRIES_MAX),
            notices: Ring::new(NOTICES_MAX),
            functions: Mutex::default(),
        }
    }
}

impl Recorder {
    /// Returns a layer that records log lines.
    pub fn layer<S>(&self) -> impl tracing_subscriber::Layer<S>
    where
        S: tracing::Subscriber + for<'a> tracing_subscriber::registry::LookupSpan<'a>,
    {
        LogLayer::of(self.clone())
    }

    pub(crate) fn memory(&self) -> &Memory {
        &self.0
    }

    pub(crate) fn set_clock(&self, clock: Clock) {
        // A recorder that several stacks share uses the first stack's clock.
        let _ = self.0.clock.set(clock);
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.0.clock.get().map_or(Timestamp::UNIX_EPOCH, Clock::now)
    }

    pub(crate) fn watch(&self, function: &str) -> Watch {
        self.functions().entry(function.to_owned()).or_default();
        Watch { recorder: self.clone(), function: function.into() }
    }

    pub(crate) fn function_activity(&self) -> BTreeMap<String, Function> {
        self.functions().clone()
    }

    pub(crate) fn add_event(&self, kind: EventKind, name: &str, to: Vec<String>, data: &str) {
        let (name, data) = (name.to_owned(), truncate(data));
        self.0.events.push(Event { at: self.now(), kind, name, to, data });
    }

    pub(crate) fn add_object(&self, action: &'static str, path: &str, content_type: &str, size: usize) {
        let (path, content_type) = (path.to_owned(), content_type.to_owned());
        self.0.objects.push(Stored { at: self.now(), action, path, content_type, size });
    }

    /// Returns the outcomes of all functions' jobs: `circle-judge judge: the circle died`.
    pub(crate) fn outcomes(&self) -> BTreeSet<String> {
        let lines = |(name, function): (&String, &Function)| {
            function.outcomes.iter().map(|outcome| format!("{name} {outcome}")).collect::<Vec<_>>()
        };
        self.functions().iter().flat_map(lines).collect()
    }

    fn add_outcomes(&self, function: &str, outcomes: BTreeSet<String>) {
        if !outcomes.is_empty() {
            self.functions().entry(function.to_owned()).or_default().outcomes.extend(outcomes);
        }
    }

    fn add_invocation(&self, invocation: Invocation) {
        let mut functions = self.functions();
        let function = functions.entry(invocation.running.function.to_string()).or_default();
        function.calls += 1;
        function.failed += u64::from(invocation.result.is_failure());
        function.last.push_back(Arc::new(invocation));
        if function.last.len() > INVOCATIONS_MAX {
            function.last.pop_front();
        }
    }

    fn functions(&self) -> MutexGuard<'_, BTreeMap<String, Function>> {
        lock(&self.0.functions)
    }
}

fn truncate(text: &str) -> String {
    match text.char_indices().nth(TEXT_MAX_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
