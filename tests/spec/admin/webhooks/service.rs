//! An administrator's service that receives webhook messages.

use std::sync::{Arc, Mutex};

use axum::{
    Router,
    http::{HeaderMap, StatusCode, header::LOCATION},
    response::{IntoResponse, Response},
    routing::post,
};
use base64::{Engine, prelude::BASE64_STANDARD};
use hmac::{Hmac, KeyInit, Mac};
use serde_json::{Value, json};
use sha2::Sha256;
use tests::serve;

struct State {
    status: u16,
    /// ID of the only message that gets `status`. All other messages get 200. If `None`, all messages get `status`.
    only: Option<String>,
    requests: Vec<(HeaderMap, String)>,
    redirected: Vec<String>,
}

/// A webhook receiver that responds with 200 until [`Service::answers`] sets a different status.
pub(crate) struct Service {
    pub(crate) url: String,
    state: Arc<Mutex<State>>,
}

impl Service {
    pub(crate) async fn starts() -> Self {
        let state = State { status: 200, only: None, requests: Vec::new(), redirected: Vec::new() };
        let state = Arc::new(Mutex::new(state));
        let (taking, redirecting) = (Arc::clone(&state), Arc::clone(&state));
        let take = async move |headers: HeaderMap, body: String| taking.lock().unwrap().take(headers, body);
        let redirect = async move |body: String| redirecting.lock().unwrap().redirected.push(body);
        let routes = Router::new().route("/hook", post(take)).route("/elsewhere", post(redirect));
        let url = format!("{}/hook", serve(routes).await);
        Self { url, state }
    }

    pub(crate) fn answers(&self, status: u16) {
        self.state.lock().unwrap().status = status;
    }

    /// Responds with 200 to all messages except the one with this ID.
    pub(crate) fn refuses_only(&self, message: &str) {
        self.state.lock().unwrap().only = Some(message.to_owned());
    }

    /// Returns the requests that reached the redirect's target.
    pub(crate) fn redirected(&self) -> Vec<String> {
        std::mem::take(&mut self.state.lock().unwrap().redirected)
    }

    /// Returns the distinct messages since the last call. Panics if a message is not signed with `secret`.
    pub(crate) fn received(&self, secret: &str) -> Vec<Value> {
        let mut received: Vec<Value> = Vec::new();
        for (headers, body) in std::mem::take(&mut self.state.lock().unwrap().requests) {
            let message = verified(secret, &headers, &body);
            if !received.contains(&message) {
                received.push(message);
            }
        }
        received
    }

    /// Returns the kind and subject ID of each message since the last call.
    pub(crate) fn kinds_and_ids(&self, secret: &str) -> Vec<Value> {
        self.received(secret).iter().map(|message| json!([message["type"], message["data"]["id"]])).collect()
    }
}

impl State {
    fn take(&mut self, headers: HeaderMap, body: String) -> Response {
        let is_refused = self.only.as_ref().is_none_or(|only| headers["webhook-id"] == only.as_str());
        self.requests.push((headers, body));
        match if is_refused { self.status } else { 200 } {
            302 => (StatusCode::FOUND, [(LOCATION, "/elsewhere")]).into_response(),
            status => StatusCode::from_u16(status).unwrap().into_response(),
        }
    }
}

/// Verifies a message as Standard Webhooks specifies. Returns the message with its ID.
fn verified(secret: &str, headers: &HeaderMap, body: &str) -> Value {
    let header = |name: &str| headers[name].to_str().unwrap().to_owned();
    let signature = signature(secret, &header("webhook-id"), &header("webhook-timestamp"), body);
    assert_eq!(header("webhook-signature"), signature);
    let mut message: Value = serde_json::from_str(body).unwrap();
    message["messageId"] = json!(header("webhook-id"));
    message
}

/// Returns the signature of a message, as Standard Webhooks specifies it.
pub(crate) fn signature(secret: &str, id: &str, timestamp: &str, body: &str) -> String {
    let key = BASE64_STANDARD.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
    mac.update(format!("{id}.{timestamp}.{body}").as_bytes());
    format!("v1,{}", BASE64_STANDARD.encode(mac.finalize().into_bytes()))
}
