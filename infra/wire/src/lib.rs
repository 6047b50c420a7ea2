//! HTTP middleware between the functions and AWS that counts calls and injects faults.
//!
//! The middleware receives signed requests from the AWS SDK. Tests therefore cover the SDK's retries, timeouts and
//! tokens.

#![expect(
    clippy::expect_used,
    clippy::panic,
    reason = "a panic simulates a crash, and a broken test or simulation must end"
)]

mod call;
mod cost;
mod faults;

use std::sync::{Arc, Mutex, PoisonError};

use aws_config::SdkConfig;
use aws_smithy_runtime_api::client::{
    http::{HttpConnector as _, HttpConnectorFuture, SharedHttpConnector},
    orchestrator::{HttpRequest, HttpResponse},
    result::ConnectorError,
};
use call::Call;
pub use cost::Cost;
pub use faults::{Fault, Faults};
use local::layer::{self, Layer};

/// The middleware of one stack. Clones share its state.
#[derive(Clone, Debug, Default)]
pub struct Wire {
    /// Faults to inject.
    pub faults: Faults,
    cost: Arc<Mutex<Cost>>,
}

impl Wire {
    /// Returns the configuration with this middleware around its HTTP client.
    ///
    /// # Panics
    /// Panics if the configuration has no HTTP client.
    pub fn watch(&self, config: &SdkConfig) -> SdkConfig {
        wrap(config, self.clone())
    }

    /// Returns the cost of all calls so far.
    pub fn cost(&self) -> Cost {
        self.cost.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    async fn carry(
        self,
        inner: SharedHttpConnector,
        request: HttpRequest,
    ) -> Result<HttpResponse, ConnectorError> {
        let call = Call::read(request);
        match self.faults.strike(&call.operation) {
            None => self.send(&inner, call).await,
            Some(Fault::Conflict) => Ok(call.conflict()),
            Some(Fault::Throttle) => Ok(call.throttle()),
            Some(Fault::Refused) => Ok(call.refusal()),
            Some(Fault::Crash) => panic!("crashed before {}", call.operation),
            Some(Fault::CrashAfter) => {
                let operation = call.operation.clone();
                self.send(&inner, call).await?;
                panic!("crashed after {operation}")
            }
            Some(Fault::LostAnswer) => {
                self.send(&inner, call).await?;
                Err(ConnectorError::timeout("the response was lost".into()))
            }
            Some(Fault::BrokenAnswer) => Ok(call::truncated(self.send(&inner, call).await?).await),
            Some(Fault::NoAnswer) => std::future::pending().await,
            Some(Fault::Held) => {
                self.faults.held().await;
                self.send(&inner, call).await
            }
            Some(Fault::HalfRefused) => self.send_half(&inner, call).await,
            Some(Fault::NeverTaken) => Ok(call.never_taken()),
            Some(Fault::Swallowed) => Ok(call.accepted()),
            Some(Fault::Unprocessed) => self.send_part(&inner, call, |items| items.div_ceil(2)).await,
            Some(Fault::BarelyProcessed) => self.send_part(&inner, call, |_| 1).await,
        }
    }

    async fn send_part(
        &self,
        inner: &SharedHttpConnector,
        mut call: Call,
        kept: fn(usize) -> usize,
    ) -> Result<HttpResponse, ConnectorError> {
        let (name, rest) = call.hold_back(kept);
        Ok(call::with_field(self.send(inner, call).await?, name, rest).await)
    }

    async fn send_half(
        &self,
        inner: &SharedHttpConnector,
        mut call: Call,
    ) -> Result<HttpResponse, ConnectorError> {
        let held = call.hold_back_entries();
        let response = match call.is_empty() {
            true => call.accepted(),
            false => self.send(inner, call).await?,
        };
        Ok(call::with_failed(response, &held).await)
    }

    async fn send(&self, inner: &SharedHttpConnector, call: Call) -> Result<HttpResponse, ConnectorError> {
        let (operation, outbox_body) = (call.operation.clone(), call.outbox_body());
        let (response, body) = call::read_consumption(inner.call(call.into_request()).await?).await;
        let mut cost = self.cost.lock().unwrap_or_else(PoisonError::into_inner);
        cost.count(&operation, &body);
        if response.status().is_success() {
            cost.count_outboxes(&outbox_body);
        }
        drop(cost);
        Ok(response)
    }
}

/// Returns the configuration with `layer` around its HTTP client.
///
/// # Panics
/// Panics if the configuration has no HTTP client.
pub fn wrap(config: &SdkConfig, layer: impl Layer) -> SdkConfig {
    let inner = config.http_client().expect("the configuration has an HTTP client");
    config.to_builder().http_client(layer::around(inner, layer)).build()
}

/// Returns the error response for a conflict with another writer of the same row.
pub fn conflict(request: HttpRequest) -> HttpResponse {
    Call::read(request).conflict()
}

impl Layer for Wire {
    fn call(&self, request: HttpRequest, next: SharedHttpConnector) -> HttpConnectorFuture {
        HttpConnectorFuture::new(self.clone().carry(next, request))
    }
}
