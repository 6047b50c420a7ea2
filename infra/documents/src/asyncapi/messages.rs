//! The messages: events that the service pushes, events that clients send, and presence events.

use domain::realtime::{
    events::{EventDescription, PushedEvent, add_schemas},
    pusher::ChannelKind,
};
use runtime::openapi::{camel_case, require_nullable};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::{ToSchema, openapi::ComponentsBuilder};

use crate::examples::{SCHEMAS, Schemas};

/// An event, and the channels that carry it.
pub(super) struct Message {
    name: String,
    text: String,
    schema: String,
    pub(super) channels: Vec<ChannelKind>,
    by: By,
}

/// Sender of an event.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    Service,
    Provider,
    Client,
}

/// The field that every event from the service has.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Pushed {
    /// ID of the event. Clients use it to ignore duplicates.
    #[schema(example = "01KGB5T9G0A1B2C3D4E5F6G7H8")]
    event_id: String,
}

/// A user is typing. Clients send this payload.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Typing {
    /// ID of the typing user, as their client states it.
    #[schema(example = "01KGB5T9G0A1B2C3D4E5F6G7H8")]
    user_id: Option<String>,
}

/// A member who is connected.
#[derive(Serialize, ToSchema)]
struct PresentMember {
    /// User ID, or an opaque placeholder if a block exists between the user and another member.
    #[schema(example = "01KGB5T9G0A1B2C3D4E5F6G7H8")]
    id: String,
    /// Information about the member.
    info: PresentInfo,
}

/// Information about a member who is connected.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PresentInfo {
    /// Public ID of the user, or null if a block exists between the user and another member.
    #[schema(example = "01KGB5T9G0A1B2C3D4E5F6G7H9")]
    public_id: Option<String>,
}

const PRESENCE: [ChannelKind; 2] = [ChannelKind::Presence, ChannelKind::Circle];

/// Returns every message.
pub(super) fn all() -> Vec<Message> {
    let pushed = PushedEvent::descriptions().into_iter().map(Message::pushed);
    let connected =
        "A member connected. Pusher clients report this event once per user, not once per device.";
    let disconnected = "The last device of a member disconnected. Pusher clients report this event.";
    let typing = "A user is typing. Their client sends the event to the other members.";
    let others = [
        Message::other("pusher:member_added", connected, "PresentMember", &PRESENCE, By::Provider),
        Message::other("pusher:member_removed", disconnected, "PresentMember", &PRESENCE, By::Provider),
        Message::other("client-typing", typing, "Typing", &[ChannelKind::Chat], By::Client),
    ];
    pushed.chain(others).collect()
}

/// Returns the schemas of all messages, each with an example.
pub(super) fn schemas() -> Value {
    let own = [add_schemas::<Pushed>, add_schemas::<Typing>, add_schemas::<PresentMember>];
    let own = own.into_iter().fold(ComponentsBuilder::new(), |components, add| add(components));
    let all =
        PushedEvent::descriptions().iter().fold(own, |components, event| (event.add_schemas)(components));
    let mut all = all.build().schemas;
    // Clients send `Typing` and may omit its nullable fields. The service sends all other payloads with all fields.
    let pushed = all.iter_mut().filter(|(name, _)| *name != "Typing");
    pushed.for_each(|(_, schema)| require_nullable(schema));
    let mut schemas = json!(all);
    Schemas(&schemas.clone()).exemplify_all(&mut schemas);
    schemas
}

impl Message {
    fn pushed(EventDescription { name, text, schema, channels, .. }: EventDescription) -> Self {
        Self { name: name.to_owned(), text, schema, channels: channels.to_vec(), by: By::Service }
    }

    fn other(name: &str, text: &str, schema: &str, channels: &[ChannelKind], by: By) -> Self {
        let [name, text, schema] = [name, text, schema].map(str::to_owned);
        Self { name, text, schema, channels: channels.to_vec(), by }
    }

    /// Returns the message's key in the document: `friendRequestNew` for `friend-request:new`.
    pub(super) fn key(&self) -> String {
        camel_case(&self.name)
    }

    pub(super) fn is_of_clients(&self) -> bool {
        self.by == By::Client
    }

    /// Returns the message as an object of the AsyncAPI document.
    pub(super) fn component(&self, schemas: &Value) -> Value {
        let payload = self.payload();
        let example = Schemas(schemas).example(&payload, &[]);
        json!({
            "name": self.name,
            "title": self.name,
            "summary": self.text,
            "contentType": "application/json",
            "payload": payload,
            "examples": [{ "name": self.key(), "summary": self.text, "payload": example }],
            "tags": [{ "name": "realtime" }],
        })
    }

    fn payload(&self) -> Value {
        let schema = |name: &str| json!({ "$ref": format!("{SCHEMAS}{name}") });
        match self.by {
            By::Service => json!({ "allOf": [schema(&self.schema), schema("Pushed")] }),
            By::Provider | By::Client => schema(&self.schema),
        }
    }
}
