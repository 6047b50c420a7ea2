//! A fake push provider, which records calls and responds as the test specifies.

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

/// Computes the response status of a call from its index and body.
type Answer = dyn Fn(usize, &Value) -> u16 + Send + Sync;

/// The fake provider.
pub(crate) struct Provider {
    host: String,
    state: Arc<Calls>,
}

struct Calls {
    calls: Mutex<Vec<Call>>,
    answer: Box<Answer>,
}

/// A recorded call.
#[derive(Clone, Debug)]
pub(super) struct Call {
    /// `events` or `batch_events`.
    pub(super) resource: String,
    /// Status of the response.
    pub(super) status: u16,
    body: Value,
}

/// An event on one channel.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Publication {
    pub(super) channel: String,
    /// Event ID.
    pub(super) event: String,
}

impl Provider {
    /// Starts a provider that accepts all calls.
    pub(super) async fn starts() -> Self {
        Self::answers(|_, _| 200).await
    }

    /// Starts a provider that responds with the statuses that `answer` computes.
    pub(crate) async fn answers(answer: impl Fn(usize, &Value) -> u16 + Send + Sync + 'static) -> Self {
        let state = Arc::new(Calls { calls: Mutex::default(), answer: Box::new(answer) });
        let router =
            Router::new().route("/apps/{id}/{resource}", post(record)).with_state(Arc::clone(&state));
        Self { host: serve(router).await, state }
    }

    /// Returns a world that pushes to this provider.
    pub(crate) async fn world(&self) -> World {
        self.world_with(&[]).await
    }

    /// Returns a world that pushes to this provider, with more settings.
    pub(super) async fn world_with(&self, more: &[(&str, &str)]) -> World {
        let app = APP.map(|(name, value)| (name, if name == "PUSHER_HOST" { &*self.host } else { value }));
        World::builder().settings(&[&app[..], more].concat()).start().await
    }

    /// Removes and returns the recorded calls.
    pub(super) fn calls(&self) -> Vec<Call> {
        std::mem::take(&mut *self.state.calls.lock().unwrap())
    }
}

impl Call {
    /// Returns the events in the call. An event for several channels is returned once per channel.
    pub(super) fn publications(&self) -> Vec<Publication> {
        self.events().iter().flat_map(publications).collect()
    }

    /// Returns the names of the events in the call, each with its data as text.
    pub(super) fn named_data(&self) -> Vec<(String, String)> {
        let text = |event: &Value, field: &str| event[field].as_str().unwrap().to_owned();
        self.events().iter().map(|event| (text(event, "name"), text(event, "data"))).collect()
    }

    fn events(&self) -> &[Value] {
        self.body["batch"].as_array().map_or(std::slice::from_ref(&self.body), Vec::as_slice)
    }
}

fn publications(event: &Value) -> Vec<Publication> {
    let data: Value = serde_json::from_str(event["data"].as_str().unwrap()).unwrap();
    let id = data["eventId"].as_str().unwrap();
    let channels = event["channels"].as_array().cloned().unwrap_or_else(|| vec![event["channel"].clone()]);
    let publication =
        |channel: &Value| Publication { channel: channel.as_str().unwrap().to_owned(), event: id.to_owned() };
    channels.iter().map(publication).collect()
}

async fn record(
    State(state): State<Arc<Calls>>,
    Path((_, resource)): Path<(String, String)>,
    Json(body): Json<Value>,
) -> (StatusCode, Json<Value>) {
    let mut calls = state.calls.lock().unwrap();
    let status = (state.answer)(calls.len(), &body);
    calls.push(Call { resource, status, body });
    (StatusCode::from_u16(status).unwrap(), Json(json!({})))
}
