//! The SDK's way to the stack that it shares a process with: no socket between them, and no HTTP.

use std::sync::Arc;

use aws_smithy_runtime_api::client::{
    http::{
        HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpClient,
        SharedHttpConnector,
    },
    orchestrator::{HttpRequest, HttpResponse},
    result::ConnectorError,
    runtime_components::RuntimeComponents,
};
use aws_smithy_types::body::SdkBody;
use axum::{
    body::{Body, to_bytes},
    extract::State,
};
use dynoxide::Database;
use lambda_http::http::{Response, StatusCode};

use crate::{
    aws::{self, Services},
    dynamodb,
};

const TABLE: &str = "DynamoDB_20120810";

/// What is answered here; everything else goes the long way round.
#[derive(Clone)]
pub(crate) struct Loopback {
    pub(crate) database: Database,
    pub(crate) services: Arc<Services>,
}

struct Shortcut<C> {
    here: Loopback,
    elsewhere: C,
}

impl Loopback {
    /// A client that takes this way where it leads.
    pub(crate) fn client(self, elsewhere: SharedHttpClient) -> SharedHttpClient {
        SharedHttpClient::new(Shortcut { here: self, elsewhere })
    }

    async fn table(
        self,
        operation: String,
        request: HttpRequest,
        elsewhere: SharedHttpConnector,
    ) -> Result<HttpResponse, ConnectorError> {
        // Where the network would be: others have their turn.
        tokio::task::yield_now().await;
        let body = request.body().bytes().unwrap_or_default();
        let Some((status, answer)) = dynamodb::answer(&self.database, &operation, body) else {
            return elsewhere.call(request).await;
        };
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        Ok(HttpResponse::new(status.into(), SdkBody::from(answer)))
    }

    async fn service(self, request: HttpRequest) -> Result<HttpResponse, ConnectorError> {
        tokio::task::yield_now().await;
        let request = request.try_into_http1x().map_err(user)?;
        let request = request.map(|body| Body::from(body.bytes().unwrap_or_default().to_vec()));
        let (parts, body) = aws::answer(State(self.services), request).await.into_parts();
        let body = to_bytes(body, usize::MAX).await.map_err(user)?;
        HttpResponse::try_from(Response::from_parts(parts, SdkBody::from(body))).map_err(user)
    }
}

fn user(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> ConnectorError {
    ConnectorError::user(error.into())
}

impl<C> std::fmt::Debug for Shortcut<C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shortcut").finish_non_exhaustive()
    }
}

impl HttpClient for Shortcut<SharedHttpClient> {
    fn http_connector(
        &self,
        settings: &HttpConnectorSettings,
        components: &RuntimeComponents,
    ) -> SharedHttpConnector {
        let elsewhere = self.elsewhere.http_connector(settings, components);
        SharedHttpConnector::new(Shortcut { here: self.here.clone(), elsewhere })
    }
}

impl HttpConnector for Shortcut<SharedHttpConnector> {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let target = request.headers().get("x-amz-target").and_then(|it| it.split_once('.'));
        match target {
            Some((TABLE, operation)) => {
                let operation = operation.to_owned();
                let elsewhere = self.elsewhere.clone();
                HttpConnectorFuture::new(self.here.clone().table(operation, request, elsewhere))
            }
            Some(("AmazonSQS" | "AWSEvents", _)) => {
                HttpConnectorFuture::new(self.here.clone().service(request))
            }
            _ => self.elsewhere.call(request),
        }
    }
}
