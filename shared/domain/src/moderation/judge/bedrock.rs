//! A model of Amazon Bedrock, by the Converse operation of its runtime.

use std::time::Duration;

use anyhow::{Context, Result as Anyhow, ensure};
use futures::future::BoxFuture;
use platform::{App, Result, error::Error};
use serde_json::{Value, json};

use super::{
    Case, Grade, Judge, ReportVerdict, answer,
    prompt::{self, Question},
};

const TIMEOUT: Duration = Duration::from_secs(20);

pub(super) struct Bedrock {
    path: String,
}

impl Bedrock {
    pub(super) fn new(model: &str) -> Self {
        let model: String = form_urlencoded::byte_serialize(model.as_bytes()).collect();
        Self { path: format!("/model/{model}/converse") }
    }

    async fn ask(&self, app: &App, question: Question) -> Anyhow<String> {
        let standard = || format!("https://bedrock-runtime.{}.amazonaws.com", app.outside.region());
        let endpoint = app.outside.endpoint("Bedrock Runtime").unwrap_or_else(standard);
        let request = http::Request::post(format!("{endpoint}{}", self.path));
        let request =
            request.header("content-type", "application/json").body(converse(question).to_string())?;
        let answer = app.outside.ask("bedrock", request, app.now(), TIMEOUT).await.context("Bedrock")?;
        ensure!(answer.status().is_success(), "Bedrock answered {}", answer.status());
        let answer: Value = answer.json().await.map_err(reqwest::Error::without_url)?;
        let text = answer.pointer("/output/message/content/0/text").and_then(Value::as_str);
        Ok(text.context("Bedrock's answer has no text")?.to_owned())
    }
}

impl Judge for Bedrock {
    fn judge<'a>(&'a self, app: &'a App, case: Case<'a>) -> BoxFuture<'a, Result<ReportVerdict>> {
        let answer = self.ask(app, prompt::reported(case));
        Box::pin(
            async move { answer::verdict(&answer.await.map_err(Error::Internal)?).map_err(Error::Internal) },
        )
    }

    fn grade<'a>(&'a self, app: &'a App, content: &'a str) -> BoxFuture<'a, Result<Grade>> {
        let answer = self.ask(app, prompt::written(content));
        Box::pin(
            async move { answer::grade(&answer.await.map_err(Error::Internal)?).map_err(Error::Internal) },
        )
    }
}

fn converse(question: Question) -> Value {
    json!({
        "system": [{ "text": question.task }],
        "messages": [{ "role": "user", "content": [{ "text": question.data }] }],
        "inferenceConfig": { "maxTokens": prompt::ANSWER_MAX_TOKENS, "temperature": 0 },
    })
}
