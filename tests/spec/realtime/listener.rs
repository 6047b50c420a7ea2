//! A client of the push provider, which implements the Pusher protocol over WebSocket.

use std::time::Duration;

use futures::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tests::{Answer, Person, World};
use tokio::net::TcpStream;
use tokio_tungstenite::{WebSocketStream, client_async, tungstenite::Message};

/// Application key of the local stack.
const KEY: &str = "local";

/// Returns the name of a user's private channel.
pub(crate) fn user_channel(user: &Person) -> String {
    format!("private-user-{}", user.id)
}

/// A connection to the push provider.
pub(crate) struct Listener {
    socket: WebSocketStream<TcpStream>,
    id: String,
}

impl Listener {
    /// Connects without a subscription.
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

    /// Connects and subscribes to a channel as the user.
    pub(crate) async fn of(world: &World, person: &Person, channel: &str) -> Self {
        let mut listener = Self::connects(world).await;
        listener.joins(person, channel).await;
        listener
    }

    /// Subscribes as the user, and returns the provider's response.
    pub(crate) async fn joins(&mut self, person: &Person, channel: &str) -> Value {
        let allowed = self.asks(person, channel).await.ok();
        let mut data = json!({ "channel": channel, "auth": allowed.body["auth"] });
        if !allowed.body["channel_data"].is_null() {
            data["channel_data"] = allowed.body["channel_data"].clone();
        }
        self.says(json!({ "event": "pusher:subscribe", "data": data })).await;
        self.received(channel, "pusher_internal:subscription_succeeded").await
    }

    /// Subscribes to a public channel.
    pub(crate) async fn joins_all(&mut self, channel: &str) {
        self.says(json!({ "event": "pusher:subscribe", "data": { "channel": channel } })).await;
        self.received(channel, "pusher_internal:subscription_succeeded").await;
    }

    /// Requests permission from the API to subscribe to a channel.
    pub(crate) async fn asks(&self, person: &Person, channel: &str) -> Answer {
        person.post("/pusher/auth", json!({ "socket_id": self.id, "channel_name": channel })).await
    }

    /// Requests permission from the API to sign in to the provider.
    pub(crate) async fn authenticates(&self, person: &Person) -> Answer {
        person.post("/pusher/user-auth", json!({ "socket_id": self.id })).await
    }

    /// Signs in to the provider as the user.
    pub(crate) async fn signs_in(&mut self, person: &Person) {
        let signed = self.authenticates(person).await.ok();
        let data = json!({ "auth": signed.body["auth"], "user_data": signed.body["user_data"] });
        self.says(json!({ "event": "pusher:signin", "data": data })).await;
        let done = self.next().await;
        assert_eq!(done["event"], "pusher:signin_success", "{done}");
        assert_eq!(done["data"]["user_data"], signed.body["user_data"]);
    }

    /// Checks that the provider closes the connection within 10 seconds.
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

    /// Sends a message.
    pub(crate) async fn says(&mut self, message: Value) {
        self.socket.send(Message::text(message.to_string())).await.unwrap();
    }

    /// Returns the data of the next event, without the event ID. Panics if the event has a different name or channel.
    #[track_caller]
    pub(crate) fn received(&mut self, channel: &str, event: &str) -> impl Future<Output = Value> {
        let pushed = !event.starts_with("pusher") && !event.starts_with("client-");
        let next = self.received_with_id(channel, event);
        async move {
            let mut data = next.await;
            let id = data.as_object_mut().and_then(|data| data.remove("eventId"));
            assert_eq!(id.is_some(), pushed, "{data}");
            data
        }
    }

    /// Works as [`Self::received`] does, but the returned data includes the event ID.
    #[track_caller]
    pub(crate) fn received_with_id(&mut self, channel: &str, event: &str) -> impl Future<Output = Value> {
        let expected = (json!(channel), json!(event));
        async move {
            let next = self.next().await;
            assert_eq!((next["channel"].clone(), next["event"].clone()), expected, "{next}");
            next["data"].clone()
        }
    }

    /// Checks that no event has arrived: the next message must be the response to a ping.
    pub(crate) async fn received_nothing(&mut self) {
        self.says(json!({ "event": "pusher:ping", "data": {} })).await;
        assert_eq!(self.next().await["event"], "pusher:pong");
    }

    /// Returns the next event, with `data` parsed if it is a JSON string. Panics after 10 seconds.
    pub(crate) async fn next(&mut self) -> Value {
        let next = tokio::time::timeout(Duration::from_secs(10), self.socket.next()).await;
        let next = next.expect("an event within 10 seconds").unwrap().unwrap();
        let mut event: Value = serde_json::from_str(next.to_text().unwrap()).unwrap();
        if let Some(data) = event["data"].as_str().and_then(|data| serde_json::from_str(data).ok()) {
            event["data"] = data;
        }
        event
    }
}
