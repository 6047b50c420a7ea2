//! Counts the AWS calls of the functions. Counting takes processor time, so it can be turned off.

use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicBool, Ordering},
};

use aws_config::SdkConfig;
use aws_smithy_runtime_api::client::{
    http::{HttpConnector as _, HttpConnectorFuture, SharedHttpConnector},
    orchestrator::HttpRequest,
};
use local::layer::Layer;
use serde::{Deserialize, Serialize};
use wire::{Cost, Wire};

/// AWS usage: table calls, capacity units and events.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Consumption {
    /// Number of calls to the table.
    pub(crate) calls: f64,
    pub(crate) read_units: f64,
    pub(crate) write_units: f64,
    /// Number of events put on the bus.
    pub(crate) events: f64,
}

/// HTTP middleware for the SDK that counts calls, units and events. Clones share the counters.
#[derive(Clone, Default)]
pub(crate) struct Meter {
    is_on: Arc<AtomicBool>,
    wire: Wire,
    last: Arc<Mutex<Cost>>,
}

impl Meter {
    /// Returns the configuration with this meter around its HTTP client.
    pub(crate) fn watch(&self, config: &SdkConfig) -> SdkConfig {
        wire::wrap(config, self.clone())
    }

    /// Returns the consumption since the previous `read`. Counting continues only if `is_on` is true.
    pub(crate) fn read(&self, is_on: bool) -> Consumption {
        self.is_on.store(is_on, Ordering::Relaxed);
        let cost = self.wire.cost();
        let before =
            std::mem::replace(&mut *self.last.lock().unwrap_or_else(PoisonError::into_inner), cost.clone());
        let Cost { calls, rru, wru, events, .. } = cost - before;
        Consumption { calls: calls.into(), read_units: rru, write_units: wru, events: events.into() }
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

impl Consumption {
    pub(crate) fn plus(self, other: Self) -> Self {
        Self {
            calls: self.calls + other.calls,
            read_units: self.read_units + other.read_units,
            write_units: self.write_units + other.write_units,
            events: self.events + other.events,
        }
    }

    /// Subtracts `idle`, the consumption without requests, and divides the result by `count`.
    pub(crate) fn per_item(self, count: usize, idle: Self) -> Self {
        let count = count.max(1) as f64;
        let share = |total: f64, idle: f64| (total - idle).max(0.0) / count;
        Self {
            calls: share(self.calls, idle.calls),
            read_units: share(self.read_units, idle.read_units),
            write_units: share(self.write_units, idle.write_units),
            events: share(self.events, idle.events),
        }
    }
}
