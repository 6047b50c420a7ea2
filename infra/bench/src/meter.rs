//! What the functions ask of AWS, counted while somebody wants to know: it costs time.

use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicBool, Ordering},
};

use aws_config::SdkConfig;
use aws_smithy_runtime_api::client::{
    http::{HttpConnector as _, HttpConnectorFuture, SharedHttpConnector},
    orchestrator::HttpRequest,
};
use local::layer::{self, Layer};
use serde::{Deserialize, Serialize};
use wire::{Cost, Wire};

/// What was asked.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Asked {
    /// Calls to the table.
    pub(crate) calls: f64,
    pub(crate) read_units: f64,
    pub(crate) write_units: f64,
    /// Events on the bus.
    pub(crate) events: f64,
}

/// Stands where the SDK hands over a request. Clones share what it counts.
#[derive(Clone, Default)]
pub(crate) struct Meter {
    is_on: Arc<AtomicBool>,
    wire: Wire,
    read: Arc<Mutex<Cost>>,
}

impl Meter {
    /// A configuration with the meter in it.
    pub(crate) fn watch(&self, config: &SdkConfig) -> SdkConfig {
        match config.http_client() {
            Some(inner) => config.to_builder().http_client(layer::around(inner, self.clone())).build(),
            None => config.clone(),
        }
    }

    /// Returns what was asked since the last time, and counts on or not.
    pub(crate) fn read(&self, is_on: bool) -> Asked {
        self.is_on.store(is_on, Ordering::Relaxed);
        let cost = self.wire.cost();
        let before =
            std::mem::replace(&mut *self.read.lock().unwrap_or_else(PoisonError::into_inner), cost.clone());
        let Cost { calls, rru, wru, events, .. } = cost - before;
        Asked { calls: calls.into(), read_units: rru, write_units: wru, events: events.into() }
    }
}

impl Layer for Meter {
    fn call(&self, request: HttpRequest, next: SharedHttpConnector) -> HttpConnectorFuture {
        match self.is_on.load(Ordering::Relaxed) {
            true => self.wire.call(request, next),
            false => next.call(request),
        }
    }
}

impl Asked {
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            calls: self.calls + other.calls,
            read_units: self.read_units + other.read_units,
            write_units: self.write_units + other.write_units,
            events: self.events + other.events,
        }
    }

    /// What each of so many asked; `idle` is what would have been asked anyhow.
    pub(crate) fn each(self, count: usize, idle: Self) -> Self {
        let count = count.max(1) as f64;
        let share = |all: f64, idle: f64| (all - idle).max(0.0) / count;
        Self {
            calls: share(self.calls, idle.calls),
            read_units: share(self.read_units, idle.read_units),
            write_units: share(self.write_units, idle.write_units),
            events: share(self.events, idle.events),
        }
    }
}
