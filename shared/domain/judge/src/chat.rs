//! A model with an OpenAI-compatible API: `POST …/chat/completions`.

use anyhow::{Context, Result as Anyhow};
use platform::{App, Result, settings::Setting};
use secrecy::{ExposeSecret, SecretString};
use serde_json::{Value, json};

use super::{
    language_model::{LanguageModel, TIMEOUT, response_text},
    prompt::{self, Prompt},
};

const PATH: &str = "/chat/completions";

pub(super) struct Chat {
    address: String,
    model: String,
    key: Setting<Option<SecretString>>,
}

impl Chat {
    /// Creates the client of a model. `url` is a URL such as `https://host/v1`.
    pub(super) fn new(url: &str, model: &str, key: Setting<Option<SecretString>>) -> Self {
        let base = url.trim_end_matches('/');
        let base = base.strip_suffix(PATH).unwrap_or(base);
        Self { address: format!("{base}{PATH}"), model: model.to_owned(), key }
    }

    fn body(&self, prompt: Prompt) -> Value {
        json!({
            "model": self.model,
            "messages": [
                { "role": "system", "content": prompt.system },
                { "role": "user", "content": prompt.user },
            ],
            "max_tokens": prompt::ANSWER_MAX_TOKENS,
            "temperature": 0,
            "response_format": { "type": "json_object" },
        })
    }
}

impl LanguageModel for Chat {
    async fn ask(&self, app: &App, prompt: Prompt) -> Anyhow<String> {
        let request = http::Request::post(&self.address).header("content-type", "application/json");
        let request = match &*self.key {
            Some(key) => request.header("authorization", bearer(app, key).await?),
            None => request,
        };
        let request = request.body(self.body(prompt).to_string())?;
        let response = app.outgoing.send(request, TIMEOUT).await.context("the judge")?;
        response_text("the judge", response, "/choices/0/message/content").await
    }
}

async fn bearer(app: &App, key: &SecretString) -> Result<String> {
    let key = app.secrets.of(key).await?;
    Ok(format!("Bearer {}", key.current.expose_secret()))
}
