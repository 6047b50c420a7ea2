//! What the stack remembers of what passed, for its console: requests, invocations, log lines, events, objects.
//!
//! All of it is bounded, none of it outlives the process, and no body, header or query of a request is among it.

mod invocation;
mod layer;
mod ring;

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError},
    time::Duration,
};

use jiff::Timestamp;
use lambda_http::http::{Method, StatusCode};

pub(crate) use invocation::{Brought, Ended, Invocation, Running, Watch, count_call};
use layer::Listener;
pub(crate) use ring::{Numbered, Ring};

use crate::clock::Clock;

/// So many requests, lines, events and objects are remembered.
const KEPT_MAX: usize = 500;
/// So many invocations of each function are remembered.
const INVOCATIONS_MAX: usize = 25;
const NOTICES_MAX: usize = 50;
/// A text that is remembered is cut off there.
const TEXT_MAX_CHARS: usize = 4_000;

/// What one stack remembers; clones share it.
#[derive(Clone, Default)]
pub struct Recorder(Arc<Memory>);

pub(crate) struct Memory {
    clock: OnceLock<Clock>,
    pub(crate) requests: Ring<Request>,
    pub(crate) lines: Ring<Line>,
    pub(crate) events: Ring<Event>,
    pub(crate) objects: Ring<Stored>,
    /// What the console did for somebody, to be said on the next page that they see.
    pub(crate) notices: Ring<String>,
    functions: Mutex<BTreeMap<String, Function>>,
}

/// A request that the gateway answered.
pub(crate) struct Request {
    pub(crate) at: Timestamp,
    pub(crate) method: Method,
    /// Without the query.
    pub(crate) path: String,
    pub(crate) status: StatusCode,
    pub(crate) took: Duration,
    /// None where no function was called.
    pub(crate) invocation: Option<Arc<Running>>,
}

/// A line of a log.
pub(crate) struct Line {
    pub(crate) at: Option<Timestamp>,
    pub(crate) level: tracing::Level,
    /// None for the stack's own.
    pub(crate) function: Option<String>,
    /// The id of the request or of the invocation.
    pub(crate) id: Option<String>,
    pub(crate) message: String,
    pub(crate) fields: Vec<(&'static str, String)>,
}

/// An event that went out.
pub(crate) struct Event {
    pub(crate) at: Timestamp,
    pub(crate) kind: EventKind,
    pub(crate) name: String,
    /// The channels of a push; the queues that take an event of the bus.
    pub(crate) to: Vec<String>,
    pub(crate) data: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum EventKind {
    /// By the bus, to functions.
    Bus,
    /// By the push provider, to clients.
    Push,
}

/// What happened to an object of a bucket.
pub(crate) struct Stored {
    pub(crate) at: Timestamp,
    pub(crate) what: &'static str,
    pub(crate) path: String,
    pub(crate) content_type: String,
    pub(crate) size: usize,
}

/// What is remembered of a function.
#[derive(Clone, Default)]
pub(crate) struct Function {
    pub(crate) calls: u64,
    pub(crate) failed: u64,
    /// The newest last.
    pub(crate) last: std::collections::VecDeque<Arc<Invocation>>,
}

impl Default for Memory {
    fn default() -> Self {
        Self {
            clock: OnceLock::new(),
            requests: Ring::of(KEPT_MAX),
            lines: Ring::of(KEPT_MAX),
            events: Ring::of(KEPT_MAX),
            objects: Ring::of(KEPT_MAX),
            notices: Ring::of(NOTICES_MAX),
            functions: Mutex::default(),
        }
    }
}

impl Recorder {
    /// Returns the layer by which it hears what is logged.
    pub fn layer<S>(&self) -> impl tracing_subscriber::Layer<S>
    where
        S: tracing::Subscriber + for<'a> tracing_subscriber::registry::LookupSpan<'a>,
    {
        Listener::of(self.clone())
    }

    /// What it remembers.
    pub(crate) fn memory(&self) -> &Memory {
        &self.0
    }

    /// Goes by this clock from now on.
    pub(crate) fn go_by(&self, clock: Clock) {
        // A recorder that a second stack is given stays with the first.
        let _ = self.0.clock.set(clock);
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.0.clock.get().map_or(Timestamp::UNIX_EPOCH, Clock::now)
    }

    /// Follows a function.
    pub(crate) fn watch(&self, function: &str) -> Watch {
        self.functions().entry(function.to_owned()).or_default();
        Watch::new(self.clone(), function)
    }

    /// Returns what is remembered of each function.
    pub(crate) fn called(&self) -> BTreeMap<String, Function> {
        self.functions().clone()
    }

    pub(crate) fn publish(&self, kind: EventKind, name: &str, to: Vec<String>, data: &str) {
        let (name, data) = (name.to_owned(), cut(data));
        self.0.events.push(Event { at: self.now(), kind, name, to, data });
    }

    pub(crate) fn store(&self, what: &'static str, path: &str, content_type: &str, size: usize) {
        let (path, content_type) = (path.to_owned(), content_type.to_owned());
        self.0.objects.push(Stored { at: self.now(), what, path, content_type, size });
    }

    fn keep(&self, invocation: Invocation) {
        let mut functions = self.functions();
        let function = functions.entry(invocation.running.function.to_string()).or_default();
        function.calls += 1;
        function.failed += u64::from(invocation.ended.is_failure());
        function.last.push_back(Arc::new(invocation));
        if function.last.len() > INVOCATIONS_MAX {
            function.last.pop_front();
        }
    }

    fn functions(&self) -> MutexGuard<'_, BTreeMap<String, Function>> {
        self.0.functions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(TEXT_MAX_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
