//! A fake model with an OpenAI-compatible API. The judged text itself contains the score to return: `[7.5] …`.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering},
};

use axum::{Json, Router, routing::post};
use serde_json::{Value, json};
use tests::{Person, World, serve};

pub(crate) const INTERNAL_SECRET: &str = "a secret of at least thirty-two bytes";

/// A fake model that judges posts and reports.
pub(crate) struct Critic {
    url: String,
    asked: Arc<AtomicUsize>,
}

impl Critic {
    pub(crate) async fn new() -> Self {
        let asked = Arc::<AtomicUsize>::default();
        let counter = Arc::clone(&asked);
        let answer = move |Json(question): Json<Value>| {
            counter.fetch_add(1, Ordering::SeqCst);
            async move { Json(json!({ "choices": [{ "message": { "content": grade(&question) } }] })) }
        };
        let router = Router::new().route("/v1/chat/completions", post(answer));
        let url = format!("{}/v1#tiny", serve(router).await);
        Self { url, asked }
    }

    /// Starts a world whose judge is this model, and creates these users.
    pub(crate) async fn world<const N: usize>(&self, names: [&str; N]) -> (World, [Person; N]) {
        World::builder().without_ticks().settings(&self.settings()).start_with(names).await
    }

    /// Returns the settings that make this model the judge.
    pub(crate) fn settings(&self) -> [(&str, &str); 3] {
        [("JUDGE", &self.url), ("JUDGE_API_KEY", "key"), ("INTERNAL_SECRET", INTERNAL_SECRET)]
    }

    /// Returns the number of requests to the model so far.
    pub(crate) fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

/// Starts a world with a fake judge and these users.
pub(crate) async fn judged_world<const N: usize>(names: [&str; N]) -> (World, [Person; N]) {
    Critic::new().await.world(names).await
}

/// Returns the model's answer. The score or confidence is the number in brackets in the judged text. Without a number,
/// the score is `null`, so judging fails.
fn grade(question: &Value) -> String {
    let data: Value = serde_json::from_str(question["messages"][1]["content"].as_str().unwrap()).unwrap();
    let content = data["content"].as_str().unwrap();
    let score = content.split(['[', ']']).nth(1).and_then(|score| score.parse::<f64>().ok());
    if question["messages"][0]["content"].as_str().is_some_and(|prompt| prompt.contains("reported")) {
        return json!({ "confidence": score, "note": "It says so." }).to_string();
    }
    json!({ "score": score, "category": "solid", "reason": "It says so.", "flags": [] }).to_string()
}

/// Returns a text that the fake model gives this score. Each `salt` gives a different text.
pub(crate) fn text(score: impl std::fmt::Display, salt: impl std::fmt::Display) -> String {
    format!("[{score}] is what this text is worth ({salt})")
}
