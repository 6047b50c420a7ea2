//! A client of the push provider, by its protocol: no node needed.

use std::time::Duration;

use futures::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tests::{Answer, Person, World};
use tokio::net::TcpStream;
use tokio_tungstenite::{WebSocketStream, client_async, tungstenite::Message};

/// The key of the local stack's app.
const KEY: &str = "local";

/// Somebody's connection, and what comes over it.
pub(crate) struct Listener {
    socket: WebSocketStream<TcpStream>,
    id: String,
}

impl Listener {
    /// Connected, and subscribed to nothing.
    pub(crate) async fn connects(world: &World) -> Self {
        let host = world.stack.url().trim_start_matches("http://");
        let stream = TcpStream::connect(host).await.unwrap();
        let (socket, _) = client_async(format!("ws://{host}/app/{KEY}?protocol=7"), stream).await.unwrap();
        let mut listener = Self { socket, id: String::new() };
        let hello = listener.next().await;
        assert_eq!(hello["event"], "pusher:connection_established");
        listener.id = hello["data"]["socket_id"].as_str().unwrap().to_owned();
        listener
    }

    /// Connected, and on a channel of the person's.
    pub(crate) async fn of(world: &World, person: &Person, channel: &str) -> Self {
        let mut listener = Self::connects(world).await;
        listener.joins(person, channel).await;
        listener
    }

    /// Subscribes as the person, who may; what the provider says to it.
    pub(crate) async fn joins(&mut self, person: &Person, channel: &str) -> Value {
        let allowed = self.asks(person, channel).await.ok();
        let mut data = json!({ "channel": channel, "auth": allowed.body["auth"] });
        if !allowed.body["channel_data"].is_null() {
            data["channel_data"] = allowed.body["channel_data"].clone();
        }
        self.says(json!({ "event": "pusher:subscribe", "data": data })).await;
        self.received(channel, "pusher_internal:subscription_succeeded").await
    }

    /// Subscribes to a channel that is open to all.
    pub(crate) async fn joins_all(&mut self, channel: &str) {
        self.says(json!({ "event": "pusher:subscribe", "data": { "channel": channel } })).await;
        self.received(channel, "pusher_internal:subscription_succeeded").await;
    }

    /// Whether the person may subscribe over this connection.
    pub(crate) async fn asks(&self, person: &Person, channel: &str) -> Answer {
        person.post("/pusher/auth", json!({ "socket_id": self.id, "channel_name": channel })).await
    }

    /// Whether the person may say that this connection is theirs.
    pub(crate) async fn authenticates(&self, person: &Person) -> Answer {
        person.post("/pusher/user-auth", json!({ "socket_id": self.id })).await
    }

    /// Says to the provider that this connection is the person's.
    pub(crate) async fn signs_in(&mut self, person: &Person) {
        let signed = self.authenticates(person).await.ok();
        let data = json!({ "auth": signed.body["auth"], "user_data": signed.body["user_data"] });
        self.says(json!({ "event": "pusher:signin", "data": data })).await;
        let done = self.next().await;
        assert_eq!(done["event"], "pusher:signin_success", "{done}");
        assert_eq!(done["data"]["user_data"], signed.body["user_data"]);
    }

    /// The provider closes the connection, whatever came before.
    pub(crate) async fn is_ended(&mut self) {
        let ended = async {
            while let Some(Ok(message)) = self.socket.next().await {
                if let Message::Close(frame) = message {
                    return frame.map(|frame| u16::from(frame.code));
                }
            }
            None
        };
        let code = tokio::time::timeout(Duration::from_secs(10), ended).await;
        assert_eq!(code.expect("the connection ends"), Some(4009), "closed by the provider");
    }

    /// Sends something.
    pub(crate) async fn says(&mut self, message: Value) {
        self.socket.send(Message::text(message.to_string())).await.unwrap();
    }

    /// The data of the next thing that comes, which must be this event of this channel. What the network pushes has an
    /// id, which is left out.
    #[track_caller]
    pub(crate) fn received(&mut self, channel: &str, event: &str) -> impl Future<Output = Value> {
        let pushed = !event.starts_with("pusher") && !event.starts_with("client-");
        let heard = self.hears(channel, event);
        async move {
            let mut data = heard.await;
            let id = data.as_object_mut().and_then(|it| it.remove("eventId"));
            assert_eq!(id.is_some(), pushed, "{data}");
            data
        }
    }

    /// The same, with its id.
    #[track_caller]
    pub(crate) fn hears(&mut self, channel: &str, event: &str) -> impl Future<Output = Value> {
        let expected = (json!(channel), json!(event));
        async move {
            let told = self.next().await;
            assert_eq!((told["channel"].clone(), told["event"].clone()), expected, "{told}");
            told["data"].clone()
        }
    }

    /// Nothing has come that was not asked for: the answer to a ping is next.
    pub(crate) async fn received_nothing(&mut self) {
        self.says(json!({ "event": "pusher:ping", "data": {} })).await;
        assert_eq!(self.next().await["event"], "pusher:pong");
    }

    /// The next thing that comes, within ten seconds; data that is a text of JSON is read.
    async fn next(&mut self) -> Value {
        let next = tokio::time::timeout(Duration::from_secs(10), self.socket.next()).await;
        let next = next.expect("the provider is not silent for so long").unwrap().unwrap();
        let mut told: Value = serde_json::from_str(next.to_text().unwrap()).unwrap();
        if let Some(data) = told["data"].as_str().and_then(|data| serde_json::from_str(data).ok()) {
            told["data"] = data;
        }
        told
    }
}
