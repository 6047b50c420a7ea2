//! A model on Amazon Bedrock, called through the Converse operation.

use std::time::Duration;

use anyhow::{Context, Result as Anyhow, ensure};
use platform::App;
use serde_json::{Value, json};

use super::{
    language_model::LanguageModel,
    prompt::{self, Prompt},
};

const TIMEOUT: Duration = Duration::from_secs(20);

/// A model on Amazon Bedrock.
pub(super) struct Bedrock {
    path: String,
}

impl Bedrock {
    pub(super) fn new(model: &str) -> Self {
        let model: String = form_urlencoded::byte_serialize(model.as_bytes()).collect();
        Self { path: format!("/model/{model}/converse") }
    }
}

impl LanguageModel for Bedrock {
    async fn ask(&self, app: &App, prompt: Prompt) -> Anyhow<String> {
        let standard = || app.outgoing.standard_endpoint("bedrock-runtime");
        let endpoint = app.outgoing.endpoint("Bedrock Runtime").unwrap_or_else(standard);
        let request = http::Request::post(format!("{endpoint}{}", self.path));
        let request =
            request.header("content-type", "application/json").body(converse(prompt).to_string())?;
        let answer =
            app.outgoing.sign_and_send("bedrock", request, app.now(), TIMEOUT).await.context("Bedrock")?;
        ensure!(answer.status().is_success(), "Bedrock returned status {}", answer.status());
        let answer: Value = answer.json().await.map_err(reqwest::Error::without_url)?;
        let text = answer.pointer("/output/message/content/0/text").and_then(Value::as_str);
        Ok(text.context("Bedrock's response has no text")?.to_owned())
    }
}

fn converse(prompt: Prompt) -> Value {
    json!({
        "system": [{ "text": prompt.system }],
        "messages": [{ "role": "user", "content": [{ "text": prompt.user }] }],
        "inferenceConfig": { "maxTokens": prompt::ANSWER_MAX_TOKENS, "temperature": 0 },
    })
}
