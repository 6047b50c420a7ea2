//! The push provider, an emulation of Pusher. Clients connect over WebSockets.

mod api;

use std::{
    collections::{BTreeMap, HashMap},
    sync::{
        Arc, Mutex, MutexGuard,
        atomic::{AtomicU64, Ordering},
    },
};

use axum::{
    Router,
    extract::{
        Path, State, WebSocketUpgrade,
        ws::{CloseFrame, Message, WebSocket},
    },
    response::Response,
    routing::{get, post},
};
use serde_json::{Value, json};
use tokio::sync::mpsc::{Sender, channel};

use crate::{clock::Clock, lock::lock, recorder::Recorder, secrets::SecretStore, signed::mac, template};

const ACTIVITY_TIMEOUT_SECONDS: u64 = 120;
/// Maximum number of queued messages per client. Further messages are dropped.
const QUEUED_MAX: usize = 256;
const UNKNOWN_APP: u16 = 4001;
const UNAUTHORIZED: u16 = 4009;

/// An app of the push provider, and the app's connections.
pub(crate) struct PushProvider {
    id: String,
    key: String,
    secret: String,
    clock: Clock,
    recorder: Recorder,
    connected: AtomicU64,
    sockets: Mutex<HashMap<String, Socket>>,
}

struct Socket {
    out: Sender<String>,
    user: Option<String>,
    /// Subscribed channels. The value is the member data of a presence channel.
    channels: HashMap<String, Option<Value>>,
}

impl PushProvider {
    /// Creates the app. The ID, key and secret come from the settings of the functions.
    pub(crate) fn new(
        functions: &BTreeMap<String, template::Function>,
        secrets: &SecretStore,
        clock: Clock,
        recorder: Recorder,
    ) -> Self {
        let setting =
            |name: &str| functions.values().find_map(|function| function.environment.get(name)).cloned();
        Self {
            id: setting("PUSHER_APP_ID").unwrap_or_default(),
            key: setting("PUSHER_KEY").unwrap_or_default(),
            secret: secrets.value(&setting("PUSHER_SECRET").unwrap_or_default()),
            clock,
            recorder,
            connected: AtomicU64::new(1),
            sockets: Mutex::default(),
        }
    }

    pub(crate) fn router(self) -> Router {
        let routes = Router::new().route("/app/{key}", get(connect));
        let routes = routes.route("/apps/{id}/{resource}", post(api::publish));
        let routes = routes.route("/apps/{id}/users/{user}/terminate_connections", post(api::terminate));
        routes.with_state(Arc::new(self))
    }

    async fn serve(&self, mut socket: WebSocket, key: &str) {
        if key != self.key {
            let data = json!({ "code": UNKNOWN_APP, "message": "Application does not exist" });
            let _ = socket
                .send(Message::text(json!({ "event": "pusher:error", "data": data }).to_string()))
                .await;
            return;
        }
        let id = format!("{}.{}", std::process::id(), self.connected.fetch_add(1, Ordering::Relaxed));
        let (out, mut queued) = channel(QUEUED_MAX);
        self.lock().insert(id.clone(), Socket { out, user: None, channels: HashMap::new() });
        let hello = json!({ "socket_id": id, "activity_timeout": ACTIVITY_TIMEOUT_SECONDS });
        self.send(&id, "pusher:connection_established", None, &hello);
        loop {
            tokio::select! {
                text = queued.recv() => match text {
                    Some(text) if socket.send(Message::text(&*text)).await.is_ok() => {}
                    Some(_) => break,
                    None => {
                        let close = CloseFrame { code: UNAUTHORIZED, reason: "Terminated".into() };
                        let _ = socket.send(Message::Close(Some(close))).await;
                        break;
                    }
                },
                message = socket.recv() => match message {
                    Some(Ok(Message::Text(text))) => self.receive(&id, &text),
                    Some(Ok(Message::Close(_)) | Err(_)) | None => break,
                    Some(Ok(_)) => {}
                },
            }
        }
        self.leave_all(&id);
    }

    fn receive(&self, id: &str, text: &str) {
        let Ok(message) = serde_json::from_str::<Value>(text) else { return };
        let field = |pointer: &str| message.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
        match field("/event") {
            "pusher:ping" => self.send(id, "pusher:pong", None, &json!({})),
            "pusher:subscribe" => {
                let data = message.pointer("/data/channel_data").and_then(Value::as_str);
                self.subscribe(id, field("/data/channel"), field("/data/auth"), data);
            }
            "pusher:signin" => self.sign_in(id, field("/data/auth"), field("/data/user_data")),
            "pusher:unsubscribe" => self.leave(id, field("/data/channel")),
            event if event.starts_with("client-") => {
                let channel = field("/channel");
                let is_allowed = channel.starts_with("private-") || channel.starts_with("presence-");
                let is_member =
                    self.lock().get(id).is_some_and(|socket| socket.channels.contains_key(channel));
                if is_allowed && is_member {
                    self.broadcast(channel, event, &message["data"], Some(id));
                }
            }
            _ => {}
        }
    }

    fn subscribe(&self, id: &str, channel: &str, auth: &str, data: Option<&str>) {
        let is_presence = channel.starts_with("presence-");
        let signed = [Some(id), Some(channel), data.filter(|_| is_presence)];
        let signed = signed.into_iter().flatten().collect::<Vec<_>>().join(":");
        let is_private = is_presence || channel.starts_with("private-");
        if is_private && auth != format!("{}:{}", self.key, self.mac(&signed)) {
            let error = json!({ "type": "AuthError", "error": "Invalid signature", "status": 401 });
            return self.send(id, "pusher:subscription_error", Some(channel), &error);
        }
        let member: Option<Value> =
            data.filter(|_| is_presence).and_then(|data| serde_json::from_str(data).ok());
        if let Some(socket) = self.lock().get_mut(id) {
            socket.channels.insert(channel.to_owned(), member.clone());
        }
        let data = if is_presence { self.members(channel) } else { json!({}) };
        self.send(id, "pusher_internal:subscription_succeeded", Some(channel), &data);
        if let Some(member) = member {
            self.broadcast(channel, "pusher_internal:member_added", &text_of(&member), Some(id));
        }
    }

    fn sign_in(&self, id: &str, auth: &str, user_data: &str) {
        let user = serde_json::from_str::<Value>(user_data).ok();
        let user = user.and_then(|user| user["id"].as_str().map(str::to_owned)).filter(|id| !id.is_empty());
        let signed = format!("{}:{}", self.key, self.mac(&format!("{id}::user::{user_data}")));
        let Some(user) = user.filter(|_| auth == signed) else {
            let error = json!({ "code": UNAUTHORIZED, "message": "Invalid signature" });
            self.send(id, "pusher:error", None, &error);
            return self.leave_all(id);
        };
        if let Some(socket) = self.lock().get_mut(id) {
            socket.user = Some(user);
        }
        self.send(id, "pusher:signin_success", None, &json!({ "user_data": user_data }));
    }

    fn terminate(&self, user: &str) {
        let of_user = |socket: &Socket| socket.user.as_deref() == Some(user);
        let sockets: Vec<_> =
            self.lock().iter().filter(|(_, socket)| of_user(socket)).map(|(id, _)| id.clone()).collect();
        sockets.iter().for_each(|socket| self.leave_all(socket));
    }

    fn members(&self, channel: &str) -> Value {
        let mut hash = serde_json::Map::new();
        for member in self.lock().values().filter_map(|socket| socket.channels.get(channel)?.as_ref()) {
            let id = member["user_id"].as_str().map_or_else(|| member["user_id"].to_string(), str::to_owned);
            hash.insert(id, member["user_info"].clone());
        }
        let ids: Vec<_> = hash.keys().cloned().collect();
        json!({ "presence": { "count": ids.len(), "ids": ids, "hash": hash } })
    }

    fn leave(&self, id: &str, channel: &str) {
        let member = self.lock().get_mut(id).and_then(|socket| socket.channels.remove(channel)).flatten();
        if let Some(member) = member {
            let gone = text_of(&json!({ "user_id": member["user_id"] }));
            self.broadcast(channel, "pusher_internal:member_removed", &gone, None);
        }
    }

    fn leave_all(&self, id: &str) {
        let channels: Vec<_> =
            self.lock().get(id).map(|socket| socket.channels.keys().cloned().collect()).unwrap_or_default();
        channels.iter().for_each(|channel| self.leave(id, channel));
        self.lock().remove(id);
    }

    fn broadcast(&self, channel: &str, event: &str, data: &Value, except: Option<&str>) {
        let text = json!({ "event": event, "channel": channel, "data": data }).to_string();
        for (id, socket) in self.lock().iter() {
            if Some(id.as_str()) != except && socket.channels.contains_key(channel) {
                let _ = socket.out.try_send(text.clone());
            }
        }
    }

    /// Sends an event of the provider itself to the connection `id`. The data is sent as JSON text.
    fn send(&self, id: &str, event: &str, channel: Option<&str>, data: &Value) {
        let mut message = json!({ "event": event, "data": data.to_string() });
        if let Some(channel) = channel {
            message["channel"] = channel.into();
        }
        if let Some(socket) = self.lock().get(id) {
            let _ = socket.out.try_send(message.to_string());
        }
    }

    fn mac(&self, text: &str) -> String {
        hex::encode(mac(self.secret.as_bytes(), text))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Socket>> {
        lock(&self.sockets)
    }
}

async fn connect(
    State(provider): State<Arc<PushProvider>>,
    Path(key): Path<String>,
    upgrade: WebSocketUpgrade,
) -> Response {
    upgrade.on_upgrade(async move |socket| provider.serve(socket, &key).await)
}

fn text_of(value: &Value) -> Value {
    Value::String(value.to_string())
}
