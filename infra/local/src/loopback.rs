//! Connects SDK clients of this process to the stack without sockets.

use std::sync::Arc;

use aws_smithy_runtime_api::client::{
    http::{HttpConnector as _, HttpConnectorFuture, SharedHttpConnector},
    orchestrator::{HttpRequest, HttpResponse},
    result::ConnectorError,
};
use aws_smithy_types::body::SdkBody;
use axum::body::to_bytes;
use bytes::Bytes;
use lambda_http::http::Response;

use crate::{
    aws::{self, Services},
    layer::Layer,
    recorder,
    store::Store,
};

const TABLE: &str = "DynamoDB_20120810";

/// Responds directly to requests for DynamoDB, SQS and EventBridge. Other requests use the network.
#[derive(Clone)]
pub(crate) struct Loopback {
    pub(crate) store: Store,
    pub(crate) services: Arc<Services>,
}

impl Loopback {
    async fn table(
        self,
        operation: String,
        request: HttpRequest,
        next: SharedHttpConnector,
    ) -> Result<HttpResponse, ConnectorError> {
        let body = Bytes::copy_from_slice(request.body().bytes().unwrap_or_default());
        let Some((status, answer)) = self.store.answer(&operation, &body).await else {
            return next.call(request).await;
        };
        Ok(HttpResponse::new(status.into(), SdkBody::from(answer)))
    }

    async fn service(self, request: HttpRequest) -> Result<HttpResponse, ConnectorError> {
        tokio::task::yield_now().await;
        let request = request.try_into_http1x().map_err(user)?;
        let (parts, body) = request.into_parts();
        let answer = aws::serve(&self.services, &parts, body.bytes().unwrap_or_default()).await;
        let (parts, body) = answer.into_parts();
        let body = to_bytes(body, usize::MAX).await.map_err(user)?;
        HttpResponse::try_from(Response::from_parts(parts, SdkBody::from(body))).map_err(user)
    }
}

fn user(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> ConnectorError {
    ConnectorError::user(error.into())
}

impl Layer for Loopback {
    fn call(&self, request: HttpRequest, next: SharedHttpConnector) -> HttpConnectorFuture {
        let target = request.headers().get("x-amz-target").and_then(|target| target.split_once('.'));
        match target {
            Some((TABLE, operation)) => {
                recorder::count_call();
                let operation = operation.to_owned();
                HttpConnectorFuture::new(self.clone().table(operation, request, next))
            }
            Some(("AmazonSQS" | "AWSEvents", _)) => HttpConnectorFuture::new(self.clone().service(request)),
            _ => next.call(request),
        }
    }
}
