//! A fake external model that judges reports.

use std::sync::{
    Arc, Mutex,
    atomic::{AtomicUsize, Ordering},
};

use axum::{
    Json, Router,
    http::{HeaderMap, StatusCode},
    routing::post,
};
use serde_json::{Value, json};
use tests::{Builder, World, serve};
use tokio::sync::Semaphore;

const BEDROCK_MODEL: &str = "anthropic.tiny-v1:0";

/// The received requests: their bodies and `authorization` headers.
type Asked = Arc<Mutex<Vec<(Value, String)>>>;

/// A model that returns its answers in order, and repeats the last one. The answer `HTTP 500` is a response with status
/// 500.
pub(crate) struct ExternalJudge {
    settings: Vec<(&'static str, String)>,
    bedrock: Option<String>,
    asked: Asked,
    gate: Arc<Semaphore>,
}

impl ExternalJudge {
    /// Starts a model with the API of OpenAI.
    pub(crate) async fn chat(answers: &[&str]) -> Self {
        let form = |text| json!({ "choices": [{ "message": { "role": "assistant", "content": text } }] });
        let (host, asked, gate) = serves("/v1/chat/completions", answers, form).await;
        let settings = vec![("JUDGE", format!("{host}/v1#tiny")), ("JUDGE_API_KEY", "key".to_owned())];
        Self { settings, bedrock: None, asked, gate }
    }

    /// Starts a model with the API of Amazon Bedrock.
    pub(crate) async fn bedrock(answers: &[&str]) -> Self {
        let form = |text| {
            let message = json!({ "role": "assistant", "content": [{ "text": text }] });
            json!({ "output": { "message": message }, "stopReason": "end_turn" })
        };
        let (host, asked, gate) = serves("/model/anthropic.tiny-v1%3A0/converse", answers, form).await;
        let settings = vec![("JUDGE", format!("bedrock:{BEDROCK_MODEL}"))];
        Self { settings, bedrock: Some(host), asked, gate }
    }

    /// Returns a world with this judge.
    pub(crate) async fn world(&self) -> World {
        self.builder().start().await
    }

    /// Returns the options of a world with this judge.
    pub(crate) fn builder<'a>(&self) -> Builder<'a> {
        let settings: Vec<_> = self.settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let builder = World::builder().settings(&settings);
        self.bedrock.iter().fold(builder, |builder, url| builder.bedrock(url))
    }

    /// Delays responses until [`Self::resume`].
    pub(crate) fn pause(&self) {
        self.gate.forget_permits(Semaphore::MAX_PERMITS);
    }

    pub(crate) fn resume(&self) {
        self.gate.add_permits(1);
    }

    /// Waits until the model gets its first request.
    pub(crate) async fn wait_until_asked(&self) {
        while self.asked().is_empty() {
            tokio::task::yield_now().await;
        }
    }

    /// Returns the bodies of the requests to the model.
    pub(crate) fn asked(&self) -> Vec<Value> {
        self.asked.lock().unwrap().iter().map(|(question, _)| question.clone()).collect()
    }

    /// Returns the `authorization` headers.
    pub(crate) fn signatures(&self) -> Vec<String> {
        self.asked.lock().unwrap().iter().map(|(_, signature)| signature.clone()).collect()
    }
}

async fn serves(path: &str, answers: &[&str], form: fn(String) -> Value) -> (String, Asked, Arc<Semaphore>) {
    let answers: Arc<[String]> = answers.iter().map(|answer| (*answer).to_owned()).collect();
    let (asked, next) = (Asked::default(), Arc::new(AtomicUsize::default()));
    let gate = Arc::new(Semaphore::new(1));
    let (requests, permits) = (Arc::clone(&asked), Arc::clone(&gate));
    let answer = move |headers: HeaderMap, Json(question): Json<Value>| {
        let signature =
            headers.get("authorization").and_then(|value| value.to_str().ok()).unwrap_or_default();
        requests.lock().unwrap().push((question, signature.to_owned()));
        let answer = answers[next.fetch_add(1, Ordering::SeqCst).min(answers.len() - 1)].clone();
        let status = answer.strip_prefix("HTTP ").map_or(200, |status| status.parse().unwrap());
        let answer = (StatusCode::from_u16(status).unwrap(), Json(form(answer)));
        let permits = Arc::clone(&permits);
        async move { permits.acquire().await.map(|_| answer).unwrap() }
    };
    let router = Router::new().route(path, post(answer));
    (serve(router).await, asked, gate)
}
