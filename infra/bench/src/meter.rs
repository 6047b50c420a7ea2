//! What the functions ask of AWS, counted while somebody wants to know: it costs time.

use std::sync::{
    Arc, Mutex, MutexGuard, PoisonError,
    atomic::{AtomicBool, Ordering},
};

use aws_config::SdkConfig;
use aws_smithy_runtime_api::client::{
    http::{HttpConnector as _, HttpConnectorFuture, SharedHttpConnector},
    orchestrator::{HttpRequest, HttpResponse},
    result::ConnectorError,
};
use local::{
    consumed::Consumed,
    layer::{self, Layer},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What was asked.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Asked {
    /// Calls to the table.
    pub(crate) calls: f64,
    /// Calls to other services: queues, the bus, secrets.
    pub(crate) others: f64,
    pub(crate) read_units: f64,
    pub(crate) write_units: f64,
    /// Events on the bus.
    pub(crate) events: f64,
}

/// Stands where the SDK hands over a request. Clones share what it counts.
#[derive(Clone, Default)]
pub(crate) struct Meter(Arc<Counts>);

#[derive(Default)]
struct Counts {
    is_on: AtomicBool,
    asked: Mutex<Asked>,
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
        self.0.is_on.store(is_on, Ordering::Relaxed);
        std::mem::take(&mut *self.asked())
    }

    fn asked(&self) -> MutexGuard<'_, Asked> {
        self.0.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn carry(
        self,
        request: HttpRequest,
        next: SharedHttpConnector,
    ) -> Result<HttpResponse, ConnectorError> {
        let target = request.headers().get("x-amz-target").unwrap_or_default().to_owned();
        let response = next.call(request).await?;
        let answer = serde_json::from_slice(response.body().bytes().unwrap_or_default()).unwrap_or_default();
        self.asked().count(&target, &answer);
        Ok(response)
    }
}

impl Layer for Meter {
    fn call(&self, request: HttpRequest, next: SharedHttpConnector) -> HttpConnectorFuture {
        match self.0.is_on.load(Ordering::Relaxed) {
            true => HttpConnectorFuture::new(self.clone().carry(request, next)),
            false => next.call(request),
        }
    }
}

impl Asked {
    fn count(&mut self, target: &str, answer: &Value) {
        match target.split_once('.') {
            Some(("DynamoDB_20120810", operation)) => {
                let consumed = Consumed::by(operation, answer);
                self.calls += 1.0;
                self.read_units += consumed.read_units;
                self.write_units += consumed.write_units;
            }
            Some(("AWSEvents", _)) => {
                self.others += 1.0;
                self.events += answer["Entries"].as_array().map_or(0, Vec::len) as f64;
            }
            _ => self.others += 1.0,
        }
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            calls: self.calls + other.calls,
            others: self.others + other.others,
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
            others: share(self.others, idle.others),
            read_units: share(self.read_units, idle.read_units),
            write_units: share(self.write_units, idle.write_units),
            events: share(self.events, idle.events),
        }
    }
}
