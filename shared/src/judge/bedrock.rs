//! A model of Amazon Bedrock, by the Converse operation of its runtime.

use std::time::Duration;

use anyhow::{Context, Result as Anyhow, ensure};
use futures::future::BoxFuture;
use serde_json::{Value, json};

use super::{Case, Judge, Verdict, answer, prompt};
use crate::{App, Result, error::Error};

const TIMEOUT: Duration = Duration::from_secs(20);

pub(super) struct Bedrock {
    path: String,
}

impl Bedrock {
    pub(super) fn new(model: &str) -> Self {
        let model: String = form_urlencoded::byte_serialize(model.as_bytes()).collect();
        Self { path: format!("/model/{model}/converse") }
    }

    async fn ask(&self, app: &App, case: Case<'_>) -> Anyhow<Verdict> {
        let standard = || format!("https://bedrock-runtime.{}.amazonaws.com", app.outside.region());
        let endpoint = app.outside.endpoint("Bedrock Runtime").unwrap_or_else(standard);
        let request = http::Request::post(format!("{endpoint}{}", self.path));
        let mut request =
            request.header("content-type", "application/json").body(converse(case).to_string())?;
        app.outside.sign("bedrock", &mut request, app.now()).await?;
        let answer = app.outside.send(request, TIMEOUT).await.context("Bedrock")?;
        ensure!(answer.status().is_success(), "Bedrock answered {}", answer.status());
        let answer: Value = answer.json().await.map_err(reqwest::Error::without_url)?;
        let text = answer.pointer("/output/message/content/0/text").and_then(Value::as_str);
        answer::read(text.context("Bedrock's answer has no text")?)
    }
}

impl Judge for Bedrock {
    fn judge<'a>(&'a self, app: &'a App, case: Case<'a>) -> BoxFuture<'a, Result<Verdict>> {
        Box::pin(async move { self.ask(app, case).await.map_err(Error::Internal) })
    }
}

fn converse(case: Case<'_>) -> Value {
    json!({
        "system": [{ "text": prompt::TASK }],
        "messages": [{ "role": "user", "content": [{ "text": prompt::data(case) }] }],
        "inferenceConfig": { "maxTokens": prompt::ANSWER_MAX_TOKENS, "temperature": 0 },
    })
}
