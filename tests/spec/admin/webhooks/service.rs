//! An administrator's service, which webhooks tell what happens.

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

/// What a service answers with, and what came to it.
struct State {
    status: u16,
    /// The only message that it answers so; it takes all others.
    only: Option<String>,
    got: Vec<(HeaderMap, String)>,
    strayed: Vec<String>,
}

/// A service that takes all messages until it is told to answer something else.
pub(super) struct Service {
    pub(super) url: String,
    state: Arc<Mutex<State>>,
}

impl Service {
    pub(super) async fn begins() -> Self {
        let state = State { status: 200, only: None, got: Vec::new(), strayed: Vec::new() };
        let state = Arc::new(Mutex::new(state));
        let (taking, straying) = (Arc::clone(&state), Arc::clone(&state));
        let take = async move |headers: HeaderMap, body: String| taking.lock().unwrap().take(headers, body);
        let stray = async move |body: String| straying.lock().unwrap().strayed.push(body);
        let routes = Router::new().route("/hook", post(take)).route("/elsewhere", post(stray));
        let url = format!("{}/hook", serve(routes).await);
        Self { url, state }
    }

    pub(super) fn answers(&self, status: u16) {
        self.state.lock().unwrap().status = status;
    }

    /// Takes all messages but one.
    pub(super) fn refuses_only(&self, message: &str) {
        self.state.lock().unwrap().only = Some(message.to_owned());
    }

    /// What came where a redirect led.
    pub(super) fn strayed(&self) -> Vec<String> {
        std::mem::take(&mut self.state.lock().unwrap().strayed)
    }

    /// What came since the last time, each message once by its id. All of it has the signature of this secret.
    pub(super) fn told(&self, secret: &str) -> Vec<Value> {
        let mut told: Vec<Value> = Vec::new();
        for (headers, body) in std::mem::take(&mut self.state.lock().unwrap().got) {
            let message = verified(secret, &headers, &body);
            if !told.contains(&message) {
                told.push(message);
            }
        }
        told
    }

    /// The kinds of what came since the last time, and what it was about.
    pub(super) fn news(&self, secret: &str) -> Vec<Value> {
        self.told(secret).iter().map(|it| json!([it["type"], it["data"]["id"]])).collect()
    }
}

impl State {
    fn take(&mut self, headers: HeaderMap, body: String) -> Response {
        let is_refused = self.only.as_ref().is_none_or(|only| headers["webhook-id"] == only.as_str());
        self.got.push((headers, body));
        match if is_refused { self.status } else { 200 } {
            302 => (StatusCode::FOUND, [(LOCATION, "/elsewhere")]).into_response(),
            status => StatusCode::from_u16(status).unwrap().into_response(),
        }
    }
}

/// Verifies a message as Standard Webhooks says, and returns it with its id.
fn verified(secret: &str, headers: &HeaderMap, body: &str) -> Value {
    let header = |name: &str| headers[name].to_str().unwrap().to_owned();
    let key = BASE64_STANDARD.decode(secret.strip_prefix("whsec_").unwrap()).unwrap();
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
    mac.update(format!("{}.{}.{body}", header("webhook-id"), header("webhook-timestamp")).as_bytes());
    let signature = BASE64_STANDARD.encode(mac.finalize().into_bytes());
    assert_eq!(header("webhook-signature"), format!("v1,{signature}"));
    let mut message: Value = serde_json::from_str(body).unwrap();
    message["messageId"] = json!(header("webhook-id"));
    message
}
