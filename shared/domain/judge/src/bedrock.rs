//! A model on Amazon Bedrock, called through the Converse operation.

use anyhow::{Context, Result as Anyhow};
use platform::App;
use serde_json::{Value, json};

use super::{
    language_model::{LanguageModel, TIMEOUT, response_text},
    prompt::{self, Prompt},
};

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
        let endpoint = app.outgoing.endpoint_or_standard("Bedrock Runtime", "bedrock-runtime");
        let request = http::Request::post(format!("{endpoint}{}", self.path));
        let request =
            request.header("content-type", "application/json").body(converse(prompt).to_string())?;
        let response = app.outgoing.sign_and_send("bedrock", request, app.now(), TIMEOUT).await;
        response_text("Bedrock", response.context("Bedrock")?, "/output/message/content/0/text").await
    }
}

fn converse(prompt: Prompt) -> Value {
    json!({
        "system": [{ "text": prompt.system }],
        "messages": [{ "role": "user", "content": [{ "text": prompt.user }] }],
        "inferenceConfig": { "maxTokens": prompt::ANSWER_MAX_TOKENS, "temperature": 0 },
    })
}
