//! HTTP middleware for the AWS SDK.

use aws_smithy_runtime_api::client::{
    http::{
        HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient,
        SharedHttpConnector,
    },
    orchestrator::HttpRequest,
    runtime_components::RuntimeComponents,
};

/// Middleware that receives the signed requests of an AWS SDK client.
pub trait Layer: Clone + Send + Sync + 'static {
    /// Responds to a request, or passes it to `next`.
    fn call(&self, request: HttpRequest, next: SharedHttpConnector) -> HttpConnectorFuture;
}

/// Returns a client that calls `layer` for each request. `layer` can pass the request to `next`.
pub fn around(next: SharedHttpClient, layer: impl Layer) -> SharedHttpClient {
    SharedHttpClient::new(Layered { layer, next })
}

struct Layered<L, N> {
    layer: L,
    next: N,
}

impl<L, N> std::fmt::Debug for Layered<L, N> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(std::any::type_name::<L>())
    }
}

impl<L: Layer> HttpClient for Layered<L, SharedHttpClient> {
    fn http_connector(
        &self,
        settings: &HttpConnectorSettings,
        components: &RuntimeComponents,
    ) -> SharedHttpConnector {
        let next = self.next.http_connector(settings, components);
        SharedHttpConnector::new(Layered { layer: self.layer.clone(), next })
    }
}

impl<L: Layer> HttpConnector for Layered<L, SharedHttpConnector> {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        self.layer.call(request, self.next.clone())
    }
}
