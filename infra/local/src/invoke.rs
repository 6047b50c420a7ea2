//! Calls a function with any event, like Lambda's Invoke API.

use anyhow::{Context, Result, bail};
use axum::Router;
use http_body_util::BodyExt;
use serde_json::{Map, Value, json};
use tower::ServiceExt;

use crate::{call::isolated, functions::Function, sqs::uuid, stack::Stack};

impl Stack {
    /// Calls a function by crate name. Returns an HTTP response in payload format 2.0, or the failures of a batch.
    /// Records the outcomes of the batch's jobs.
    ///
    /// # Errors
    /// Fails if the function does not exist, does not support the event, or panics.
    pub async fn invoke(&self, function: &str, event: &Value) -> Result<Value> {
        let running = || self.uses.recorder.watch(function).begin(uuid());
        match self.functions.get(function).cloned() {
            Some(Function::Http(router)) => request(router, event).await,
            Some(Function::Sqs(work)) => {
                let event =
                    serde_json::from_value(event.clone()).context("the event is not a batch of messages")?;
                let running = running();
                Ok(serde_json::to_value(isolated(move || running.scope(work(event))).await?)?)
            }
            Some(Function::Stream(work)) => {
                let (event, running) = (event.clone(), running());
                isolated(move || running.scope(work(event))).await?
            }
            Some(Function::Remote(remote)) => remote.invoke(event.to_string()).await,
            None => bail!("there is no function {function}"),
        }
    }
}

async fn request(router: Router, event: &Value) -> Result<Value> {
    let request = lambda_http::request::from_str(&event.to_string()).context("the event is not a request")?;
    let (parts, body) = router.oneshot(request).await?.into_parts();
    let header = |(name, value): (&axum::http::HeaderName, &axum::http::HeaderValue)| {
        Some((name.to_string(), value.to_str().ok()?.into()))
    };
    let headers: Map<_, _> = parts.headers.iter().filter_map(header).collect();
    let body = String::from_utf8(body.collect().await?.to_bytes().into())?;
    Ok(json!({ "statusCode": parts.status.as_u16(), "headers": headers, "body": body }))
}
