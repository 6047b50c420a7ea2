//! Requests to the stack, some of which are never answered.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use reqwest::{Client, RequestBuilder};
use serde_json::Value;

/// Nothing takes as long as this, but a connection that leads nowhere.
const TIMEOUT: Duration = Duration::from_secs(60);
const PAGE: usize = 100;
/// More pages than any list has.
const PAGES_MAX: usize = 10_000;

/// A client of one stack, from its start to its end.
pub(crate) struct Api {
    http: Client,
    url: String,
}

/// What came of a request that changes something.
pub(crate) enum Answer {
    /// It is done; the data of the answer.
    Done(Value),
    /// It failed, and may have been done.
    Failed,
    /// There was none, and never will be.
    Nothing,
}

impl Api {
    pub(crate) fn new(url: String) -> Self {
        let http = Client::builder().no_proxy().timeout(TIMEOUT).build().unwrap_or_default();
        Self { http, url }
    }

    /// Changes something; once only, where there is a key.
    pub(crate) async fn post(&self, token: &str, path: &str, body: &Value, key: Option<&str>) -> Answer {
        let request = self.http.post(format!("{}{path}", self.url)).bearer_auth(token).json(body);
        let request = key.into_iter().fold(request, |request, key| request.header("idempotency-key", key));
        let Ok(response) = request.send().await else { return Answer::Nothing };
        let good = response.status().is_success();
        match response.json::<Value>().await {
            Ok(mut body) if good => Answer::Done(body["data"].take()),
            Ok(_) => Answer::Failed,
            Err(_) => Answer::Nothing,
        }
    }

    /// The data of an answer that must come.
    pub(crate) async fn get(&self, token: Option<&str>, path: &str) -> Result<Value> {
        Ok(self.read(token, path).await?["data"].take())
    }

    /// Every row of a list.
    pub(crate) async fn list(&self, token: &str, path: &str) -> Result<Vec<Value>> {
        let (mut rows, mut after) = (Vec::new(), String::new());
        for _ in 0..PAGES_MAX {
            let sign = if path.contains('?') { '&' } else { '?' };
            let mut page = self.read(Some(token), &format!("{path}{sign}take={PAGE}{after}")).await?;
            rows.append(page["data"].as_array_mut().context("not a list")?);
            match page["pagination"]["after"].as_str() {
                Some(cursor) => after = format!("&after={cursor}"),
                None => return Ok(rows),
            }
        }
        anyhow::bail!("{path} has no end")
    }

    /// Registers somebody; their access token.
    pub(crate) async fn register(&self, body: &Value) -> Result<String> {
        let mut answer = success(self.http.post(format!("{}/auth/register", self.url)).json(body)).await?;
        Ok(serde_json::from_value(answer["data"]["accessToken"].take())?)
    }

    /// Has the stack itself do something.
    pub(crate) async fn console(&self, what: &str, body: Value) -> Result<Value> {
        let request = self.http.post(format!("{}/_local/{what}", self.url));
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
    ensure!(status.is_success(), "{url} answered {status}: {text}");
    Ok(serde_json::from_str(&text)?)
}
