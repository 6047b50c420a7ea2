//! A function that runs somewhere else, under `cargo lambda watch`: called as Lambda's Invoke is.

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
use reqwest::Client;
use tokio::time::{Instant, sleep};

/// Long enough for a function that is compiled anew before it answers.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(300);
const TRY_AGAIN: Duration = Duration::from_millis(100);

#[derive(Clone)]
pub(crate) struct Remote {
    http: Client,
    address: String,
}

impl Remote {
    /// The function of this name, of the runtime that listens at `url`.
    pub(crate) fn new(url: &str, function: &str) -> Result<Self> {
        let http = Client::builder().no_proxy().timeout(TIMEOUT).build()?;
        Ok(Self { http, address: format!("{url}/2015-03-31/functions/{function}/invocations") })
    }

    /// Hands it an event and answers what it answers.
    pub(crate) async fn invoke(&self, event: String) -> Result<String> {
        let answer = self.send(event).await.context("nothing runs it")?;
        let failed = !answer.status().is_success() || answer.headers().contains_key("x-amz-function-error");
        let text = answer.text().await?;
        ensure!(!failed, "{text}");
        Ok(text)
    }

    /// Waits until the runtime listens, which starts after the stack that it is told of.
    async fn send(&self, event: String) -> reqwest::Result<reqwest::Response> {
        let start = Instant::now();
        loop {
            match self.http.post(&self.address).body(event.clone()).send().await {
                Err(error) if error.is_connect() && start.elapsed() < TIMEOUT => sleep(TRY_AGAIN).await,
                answer => return answer,
            }
        }
    }

    /// What it answers to a request of payload format 2.0.
    pub(crate) async fn request(&self, event: String) -> Result<Response> {
        let answer: ApiGatewayV2httpResponse = serde_json::from_str(&self.invoke(event).await?)?;
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

    /// What it did of a batch: nothing, where it did not answer.
    pub(crate) async fn batch(&self, event: SqsEvent) -> SqsBatchResponse {
        let done = async {
            Ok::<_, anyhow::Error>(serde_json::from_str(&self.invoke(serde_json::to_string(&event)?).await?)?)
        };
        done.await.unwrap_or_else(|error| {
            tracing::error!(function = self.address, %error, "a batch was not taken");
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
