//! Describes the channels: their subscribers and their events.

use domain::realtime::pusher::ChannelKind;
use runtime::openapi::camel_case;
use serde_json::{Value, json};

use super::messages::Message;

const ID: &str = "01KGB5T9G0A1B2C3D4E5F6G7H8";

/// A kind of channel, with the texts that describe it.
pub(super) struct Channel {
    kind: ChannelKind,
    pub(super) key: &'static str,
    title: &'static str,
    subscribers: &'static str,
    about: &'static str,
}

/// Returns every kind of channel.
pub(super) fn all() -> Vec<Channel> {
    ChannelKind::ALL.into_iter().map(described).collect()
}

fn described(kind: ChannelKind) -> Channel {
    let (key, title, subscribers, about) = match kind {
        ChannelKind::User => {
            ("user", "A user's own events", "The user with this ID.", "Events that concern one user.")
        }
        ChannelKind::Chat => (
            "chat",
            "A message group",
            "Members of the group. A private group has no subscribers while a block exists between its members. A member of a crowd cannot subscribe while they block another member.",
            "Events that all members of a group may receive, and typing indicators. Once a member has left a crowd, the \
             service pushes the crowd's events to the members' own channels instead.",
        ),
        ChannelKind::Presence => (
            "presence",
            "A user's devices",
            "The user with this ID.",
            "The connected devices of a user. The service does not push events on this channel.",
        ),
        ChannelKind::Circle => (
            "circle",
            "A circle",
            "Members of the circle. A member's name is omitted while a block exists between that member and another.",
            "Events about a circle's state, and the circle's connected members.",
        ),
        ChannelKind::Public => {
            ("everybody", "Public events", "Anyone, without authorization.", "Events without details.")
        }
    };
    Channel { kind, key, title, subscribers, about }
}

impl Channel {
    /// Returns the channel as an object of the AsyncAPI document.
    pub(super) fn object(&self, messages: &[Message]) -> Value {
        let own = self.messages(messages).map(|message| {
            (message.key(), json!({ "$ref": format!("#/components/messages/{}", message.key()) }))
        });
        let mut object = json!({
            "address": self.address(),
            "title": self.title,
            "description": format!("{} Subscribers: {}", self.about, lowered(self.subscribers)),
            "servers": [{ "$ref": "#/servers/pushProvider" }],
            "messages": own.collect::<Value>(),
            "tags": [{ "name": "realtime" }],
            "x-subscribers": self.subscribers,
        });
        if let (_, Some(id)) = self.kind.address() {
            let parameter = json!({ "description": format!("ID of the {}.", noun(id)), "examples": [ID] });
            object["parameters"] = json!({ id: parameter });
        }
        object
    }

    /// Returns the channel's operations: pushes by the service, and events between clients.
    pub(super) fn operations(&self, messages: &[Message]) -> Vec<(String, Value)> {
        let (from_clients, pushed): (Vec<_>, Vec<_>) =
            self.messages(messages).partition(|message| message.is_of_clients());
        let push_text = format!("The service pushes events to the subscribers. {}", self.about);
        let client_text =
            "A client sends an event to the other subscribers. Only the push provider handles it.".to_owned();
        let both = [("tell", "send", push_text, pushed), ("hear", "receive", client_text, from_clients)];
        let both = both.into_iter().filter(|(.., messages)| !messages.is_empty());
        both.map(|(verb, action, text, messages)| {
            (camel_case(&format!("{verb}-{}", self.key)), self.operation(action, &text, &messages))
        })
        .collect()
    }

    fn operation(&self, action: &str, text: &str, messages: &[&Message]) -> Value {
        let references = messages
            .iter()
            .map(|message| json!({ "$ref": format!("#/channels/{}/messages/{}", self.key, message.key()) }));
        let mut operation = json!({
            "action": action,
            "channel": { "$ref": format!("#/channels/{}", self.key) },
            "title": self.title,
            "description": text,
            "messages": references.collect::<Vec<_>>(),
            "tags": [{ "name": "realtime" }],
        });
        if self.kind != ChannelKind::Public {
            operation["security"] = json!([{ "$ref": "#/components/securitySchemes/channelAuthorization" }]);
        }
        operation
    }

    fn messages<'m>(&self, all: &'m [Message]) -> impl Iterator<Item = &'m Message> {
        let kind = self.kind;
        all.iter().filter(move |message| message.channels.contains(&kind))
    }

    fn address(&self) -> String {
        let (prefix, id) = self.kind.address();
        id.map_or(prefix.to_owned(), |id| format!("{prefix}{{{id}}}"))
    }
}

fn noun(id: &str) -> &str {
    match id {
        "groupId" => "message group",
        "circleId" => "circle",
        _ => "user, as in `GET /auth/me`",
    }
}

/// Returns the text with its first letter in lower case.
fn lowered(text: &str) -> String {
    let (initial, rest) = text.split_at_checked(1).unwrap_or_default();
    initial.to_ascii_lowercase() + rest
}
