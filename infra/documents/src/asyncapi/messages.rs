//! The messages: events that the code can push, what clients say to one another, and who is present.

use domain::realtime::{
    events::{EventDescription, PushedEvent, add_schemas},
    pusher::ChannelKind,
};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::{
    ToSchema,
    openapi::{Components, ComponentsBuilder},
};

use crate::examples::{SCHEMAS, Schemas};

/// An event on some channels.
pub(super) struct Message {
    name: String,
    text: String,
    schema: String,
    pub(super) channels: Vec<ChannelKind>,
    by: By,
}

/// Who says it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    Service,
    Provider,
    Client,
}

/// What every event that the network pushes has besides.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Pushed {
    /// The event's id: who hears it twice knows it again.
    #[schema(example = "01KGB5T9G0A1B2C3D4E5F6G7H8")]
    event_id: String,
}

/// Who is typing. Clients agree on what they say here.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Typing {
    /// Who is typing, by their own word.
    #[schema(example = "01KGB5T9G0A1B2C3D4E5F6G7H8")]
    user_id: Option<String>,
}

/// Somebody who is connected.
#[derive(Serialize, ToSchema)]
struct PresentMember {
    /// The person's id; of one whom a block separates from another member, a name that says nothing.
    #[schema(example = "01KGB5T9G0A1B2C3D4E5F6G7H8")]
    id: String,
    /// What the network says of them.
    info: PresentInfo,
}

/// What the network says of somebody who is connected.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PresentInfo {
    /// The id that others know the person by; none of one whom a block separates from another member.
    #[schema(example = "01KGB5T9G0A1B2C3D4E5F6G7H9")]
    public_id: Option<String>,
}

const PRESENCE: [ChannelKind; 2] = [ChannelKind::Presence, ChannelKind::Circle];

/// Every message.
pub(super) fn all() -> Vec<Message> {
    let pushed = PushedEvent::descriptions().into_iter().map(Message::pushed);
    let there =
        "Somebody connected, as Pusher clients tell it. Somebody with several devices is told of once.";
    let gone = "Somebody is no longer connected with any device, as Pusher clients tell it.";
    let typing = "Somebody is typing, as their client says to the others. `client-` begins its name, so that clients may \
                  send it.";
    let others = [
        Message::other("pusher:member_added", there, "PresentMember", &PRESENCE, By::Provider),
        Message::other("pusher:member_removed", gone, "PresentMember", &PRESENCE, By::Provider),
        Message::other("client-typing", typing, "Typing", &[ChannelKind::Chat], By::Client),
    ];
    pushed.chain(others).collect()
}

/// The schemas of all messages, each with an example.
pub(super) fn schemas() -> Value {
    let own = [add_schemas::<Pushed>, add_schemas::<Typing>, add_schemas::<PresentMember>];
    let own = own.into_iter().fold(ComponentsBuilder::new(), |components, add| add(components));
    let all = PushedEvent::descriptions().iter().fold(own, |components, it| (it.add_schemas)(components));
    let components: Components = all.build();
    let mut schemas = json!(components.schemas);
    Schemas(&schemas.clone()).exemplify_all(&mut schemas);
    schemas
}

impl Message {
    fn pushed(it: EventDescription) -> Self {
        let name = it.name.to_owned();
        Self { name, text: it.text, schema: it.schema, channels: it.channels.to_vec(), by: By::Service }
    }

    fn other(name: &str, text: &str, schema: &str, channels: &[ChannelKind], by: By) -> Self {
        let [name, text, schema] = [name, text, schema].map(str::to_owned);
        Self { name, text, schema, channels: channels.to_vec(), by }
    }

    /// Its name within the document: `friendRequestNew` of `friend-request:new`.
    pub(super) fn key(&self) -> String {
        let mut words = self.name.split(['-', ':', '_']);
        let first = words.next().unwrap_or_default().to_owned();
        words.fold(first, |key, word| {
            let (initial, rest) = word.split_at_checked(1).unwrap_or_default();
            key + &initial.to_ascii_uppercase() + rest
        })
    }

    pub(super) fn is_of_clients(&self) -> bool {
        self.by == By::Client
    }

    /// As the document has it.
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
