//! Client of functions that run under `cargo lambda watch`. Uses Lambda's Invoke API.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use aws_lambda_events::{
    apigw::ApiGatewayV2httpResponse,
    encodings::Body,
    sqs::{BatchItemFailure, SqsBatchResponse, SqsEvent},
};
use axum::response::Response;
use base64::{Engine, prelude::BASE64_STANDARD};
use lambda_http::http::{HeaderValue, header::SET_COOKIE};
use platform::text::is_web_url;
use reqwest::Client;
use serde::de::DeserializeOwned;
use tokio::time::{Instant, sleep};

/// Timeout of a call. It includes the time to compile the function.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(300);
const RETRY_INTERVAL: Duration = Duration::from_millis(100);

#[derive(Clone)]
pub(crate) struct Remote {
    http: Client,
    address: String,
}

impl Remote {
    /// Creates the client of a function. Fails if `url` is not a URL to which paths can be added.
    pub(crate) fn new(url: &str, function: &str) -> Result<Self> {
        let is_base = is_web_url(url) && !url.contains(['?', '#']) && !url.ends_with(':');
        ensure!(is_base, "--runtime must be an http or https URL without a query");
        let url = url.trim_end_matches('/');
        let http = Client::builder().no_proxy().timeout(TIMEOUT).build()?;
        Ok(Self { http, address: format!("{url}/2015-03-31/functions/{function}/invocations") })
    }

    pub(crate) async fn invoke<T: DeserializeOwned>(&self, event: String) -> Result<T> {
        let answer = self.send(event).await.context("failed to reach the function")?;
        let failed = !answer.status().is_success() || answer.headers().contains_key("x-amz-function-error");
        let text = answer.text().await?;
        ensure!(!failed, "{text}");
        Ok(serde_json::from_str(&text)?)
    }

    /// Sends an event. Waits for the runtime, which starts after the stack.
    async fn send(&self, event: String) -> reqwest::Result<reqwest::Response> {
        let start = Instant::now();
        loop {
            match self.http.post(&self.address).body(event.clone()).send().await {
                Err(error) if error.is_connect() && start.elapsed() < TIMEOUT => sleep(RETRY_INTERVAL).await,
                answer => return answer,
            }
        }
    }

    /// Calls the function with an HTTP request in payload format 2.0.
    pub(crate) async fn request(&self, event: String) -> Result<Response> {
        let answer: ApiGatewayV2httpResponse = self.invoke(event).await?;
        let body = match answer.body {
            Some(Body::Text(text)) if answer.is_base64_encoded => BASE64_STANDARD.decode(text)?,
            Some(body) => body.to_vec(),
            None => Vec::new(),
        };
        let mut response = Response::new(body.into());
        *response.status_mut() = u16::try_from(answer.status_code)?.try_into()?;
        *response.headers_mut() = answer.headers;
        for cookie in answer.cookies {
            response.headers_mut().append(SET_COOKIE, HeaderValue::from_str(&cookie)?);
        }
        Ok(response)
    }

    /// Calls the function with a batch of messages. If the call fails, reports all messages as failed.
    pub(crate) async fn batch(&self, event: SqsEvent) -> SqsBatchResponse {
        let response = async { self.invoke(serde_json::to_string(&event)?).await };
        response.await.unwrap_or_else(|error| {
            tracing::error!(function = self.address, %error, "failed to call a worker");
            all_failed(event)
        })
    }
}

fn all_failed(event: SqsEvent) -> SqsBatchResponse {
    let mut response = SqsBatchResponse::default();
    for message in event.records {
        let mut failure = BatchItemFailure::default();
        failure.item_identifier = message.message_id.unwrap_or_default();
        response.batch_item_failures.push(failure);
    }
    response
}
