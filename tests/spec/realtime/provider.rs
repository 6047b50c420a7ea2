//! A stand-in for the push provider, which keeps what it is asked and refuses what a test says.

use std::sync::{Arc, Mutex};

use axum::{
    Json, Router,
    extract::{Path, State},
    http::StatusCode,
    routing::post,
};
use serde_json::{Value, json};
use tests::{World, serve};

use super::APP;

/// What it answers to the call of this number, from 0, with this body.
type Answer = dyn Fn(usize, &Value) -> u16 + Send + Sync;

/// The stand-in.
pub(super) struct Provider {
    host: String,
    heard: Arc<Heard>,
}

struct Heard {
    calls: Mutex<Vec<Call>>,
    answer: Box<Answer>,
}

/// A call of the provider.
#[derive(Clone, Debug)]
pub(super) struct Call {
    /// `events` or `batch_events`.
    pub(super) resource: String,
    /// What was answered.
    pub(super) status: u16,
    body: Value,
}

/// What one channel was to hear.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Publication {
    /// The channel.
    pub(super) channel: String,
    /// The event's id.
    pub(super) event: String,
}

impl Provider {
    /// Accepts everything.
    pub(super) async fn starts() -> Self {
        Self::answers(|_, _| 200).await
    }

    /// Gives these answers.
    pub(super) async fn answers(answer: impl Fn(usize, &Value) -> u16 + Send + Sync + 'static) -> Self {
        let heard = Arc::new(Heard { calls: Mutex::default(), answer: Box::new(answer) });
        let router = Router::new().route("/apps/{id}/{resource}", post(hear)).with_state(Arc::clone(&heard));
        Self { host: serve(router).await, heard }
    }

    /// A world that pushes to it.
    pub(super) async fn world(&self) -> World {
        let app = APP.map(|(name, value)| (name, if name == "PUSHER_HOST" { &*self.host } else { value }));
        World::builder().settings(&app).start().await
    }

    /// What it was asked, and forgets it.
    pub(super) fn calls(&self) -> Vec<Call> {
        std::mem::take(&mut *self.heard.calls.lock().unwrap())
    }
}

impl Call {
    /// What it was to bring to whom.
    pub(super) fn publications(&self) -> Vec<Publication> {
        let whole = [self.body.clone()];
        let events = self.body["batch"].as_array().map_or(&whole[..], Vec::as_slice);
        events.iter().flat_map(publications).collect()
    }
}

fn publications(event: &Value) -> Vec<Publication> {
    let data: Value = serde_json::from_str(event["data"].as_str().unwrap()).unwrap();
    let id = data["eventId"].as_str().unwrap();
    let channels = event["channels"].as_array().cloned().unwrap_or_else(|| vec![event["channel"].clone()]);
    let publication =
        |it: &Value| Publication { channel: it.as_str().unwrap().to_owned(), event: id.to_owned() };
    channels.iter().map(publication).collect()
}

async fn hear(
    State(heard): State<Arc<Heard>>,
    Path((_, resource)): Path<(String, String)>,
    Json(body): Json<Value>,
) -> (StatusCode, Json<Value>) {
    let mut calls = heard.calls.lock().unwrap();
    let status = (heard.answer)(calls.len(), &body);
    calls.push(Call { resource, status, body });
    (StatusCode::from_u16(status).unwrap(), Json(json!({})))
}
