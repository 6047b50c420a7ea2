//! HTTP client of a stack that can be killed during a request.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use reqwest::{Client, RequestBuilder};
use serde_json::Value;

/// Time after which a request counts as lost.
const TIMEOUT: Duration = Duration::from_secs(60);
const PAGE: usize = 100;
/// Maximum number of pages to read from a list.
const PAGES_MAX: usize = 10_000;

/// A client of one stack process.
pub(crate) struct Api {
    http: Client,
    url: String,
}

/// Outcome of a write request.
pub(crate) enum Outcome {
    /// The request succeeded and returned this data.
    Done(Value),
    /// The response is an error. The write may still have taken effect.
    Failed,
    /// No complete response arrived.
    Lost,
}

impl Api {
    pub(crate) fn new(url: String) -> Self {
        let http = Client::builder().no_proxy().timeout(TIMEOUT).build().unwrap_or_default();
        Self { http, url }
    }

    /// Sends a write request with the idempotency key `key`.
    pub(crate) async fn post(&self, token: &str, path: &str, body: &Value, key: Option<&str>) -> Outcome {
        let request = self.http.post(format!("{}{path}", self.url)).bearer_auth(token).json(body);
        let request = key.into_iter().fold(request, |request, key| request.header("idempotency-key", key));
        let Ok(response) = request.send().await else { return Outcome::Lost };
        let is_success = response.status().is_success();
        match response.json::<Value>().await {
            Ok(mut body) if is_success => Outcome::Done(body["data"].take()),
            Ok(_) => Outcome::Failed,
            Err(_) => Outcome::Lost,
        }
    }

    /// Sends a GET request, and returns the data in the response. Fails unless the request succeeds.
    pub(crate) async fn get(&self, token: Option<&str>, path: &str) -> Result<Value> {
        Ok(self.read(token, path).await?["data"].take())
    }

    /// Reads all pages of a list, and returns the rows.
    pub(crate) async fn list(&self, token: &str, path: &str) -> Result<Vec<Value>> {
        let (mut rows, mut after) = (Vec::new(), String::new());
        for _ in 0..PAGES_MAX {
            let separator = if path.contains('?') { '&' } else { '?' };
            let mut page = self.read(Some(token), &format!("{path}{separator}take={PAGE}{after}")).await?;
            rows.append(page["data"].as_array_mut().context("not a list")?);
            match page["pagination"]["after"].as_str() {
                Some(cursor) => after = format!("&after={cursor}"),
                None => return Ok(rows),
            }
        }
        anyhow::bail!("{path} has more than {PAGES_MAX} pages")
    }

    /// Registers a user and returns their access token.
    pub(crate) async fn register(&self, body: &Value) -> Result<String> {
        let mut response = success(self.http.post(format!("{}/auth/register", self.url)).json(body)).await?;
        Ok(serde_json::from_value(response["data"]["accessToken"].take())?)
    }

    /// Sends a POST request to `/_local/{operation}` of the local stack, and returns the response's `data`.
    pub(crate) async fn console(&self, operation: &str, body: Value) -> Result<Value> {
        let request = self.http.post(format!("{}/_local/{operation}", self.url));
        let request = if body.is_null() { request } else { request.json(&body) };
        Ok(success(request).await?["data"].take())
    }

    async fn read(&self, token: Option<&str>, path: &str) -> Result<Value> {
        let request = self.http.get(format!("{}{path}", self.url));
        success(token.into_iter().fold(request, |request, token| request.bearer_auth(token))).await
    }
}

async fn success(request: RequestBuilder) -> Result<Value> {
    let response = request.send().await?;
    let (status, url) = (response.status(), response.url().clone());
    let text = response.text().await?;
    ensure!(status.is_success(), "{url} returned {status}: {text}");
    Ok(serde_json::from_str(&text)?)
}
