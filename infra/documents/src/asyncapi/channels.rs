//! The channels: who may subscribe, and which events each hears.

use domain::realtime::pusher::ChannelKind;
use serde_json::{Map, Value, json};

use super::messages::Message;

const ID: &str = "01KGB5T9G0A1B2C3D4E5F6G7H8";

/// A kind of channel, with what the document says of it.
pub(super) struct Channel {
    kind: ChannelKind,
    pub(super) key: &'static str,
    title: &'static str,
    subscribers: &'static str,
    about: &'static str,
}

/// Every kind of channel.
pub(super) fn all() -> Vec<Channel> {
    ChannelKind::ALL.into_iter().map(described).collect()
}

fn described(kind: ChannelKind) -> Channel {
    let (key, title, subscribers, about) = match kind {
        ChannelKind::User => ("user", "A person's own events", "That person.", "What concerns one person."),
        ChannelKind::Chat => (
            "chat",
            "A message group",
            "Members of the group, unless a block closes it; in a crowd, members who block no other.",
            "What all members of a group may hear, and who is typing. Once somebody left a crowd it hears nothing of the \
             service any more: members hear that on their own channels.",
        ),
        ChannelKind::Presence => (
            "presence",
            "A person's devices",
            "That person.",
            "Which of a person's devices are connected. The service pushes nothing here.",
        ),
        ChannelKind::Circle => (
            "circle",
            "A circle",
            "Members of the circle; without a name whom a block separates from another member.",
            "How a circle is doing, and who of its members is there.",
        ),
        ChannelKind::Everybody => (
            "everybody",
            "What everybody hears",
            "Everybody, without authorization.",
            "That something happened, and nothing else.",
        ),
    };
    Channel { kind, key, title, subscribers, about }
}

impl Channel {
    /// As the document has it.
    pub(super) fn object(&self, messages: &[Message]) -> Value {
        let own = self
            .messages(messages)
            .map(|it| (it.key(), json!({ "$ref": format!("#/components/messages/{}", it.key()) })));
        let mut object = json!({
            "address": self.address(),
            "title": self.title,
            "description": format!("{} Who may subscribe: {}", self.about, lowered(self.subscribers)),
            "servers": [{ "$ref": "#/servers/pushProvider" }],
            "messages": own.collect::<Map<_, _>>(),
            "tags": [{ "name": "realtime" }],
            "x-subscribers": self.subscribers,
        });
        if let (_, Some(id)) = self.kind.address() {
            let parameter = json!({ "description": format!("The id of the {}.", of(id)), "examples": [ID] });
            object["parameters"] = json!({ id: parameter });
        }
        object
    }

    /// What the network does on it: it sends, and takes from clients what they say to one another.
    pub(super) fn operations(&self, messages: &[Message]) -> Vec<(String, Value)> {
        let (said, sent): (Vec<_>, Vec<_>) = self.messages(messages).partition(|it| it.is_of_clients());
        let told = format!("The network tells the subscribers. {}", self.about);
        let heard =
            "A client tells the others of the channel: the push provider hands it on, and the service never \
                     sees it."
                .to_owned();
        let both = [("tell", "send", told, sent), ("hear", "receive", heard, said)];
        let both = both.into_iter().filter(|(.., messages)| !messages.is_empty());
        both.map(|(verb, action, text, messages)| {
            (format!("{verb}{}", capital(self.key)), self.operation(action, &text, &messages))
        })
        .collect()
    }

    fn operation(&self, action: &str, text: &str, messages: &[&Message]) -> Value {
        let references = messages
            .iter()
            .map(|it| json!({ "$ref": format!("#/channels/{}/messages/{}", self.key, it.key()) }));
        let mut operation = json!({
            "action": action,
            "channel": { "$ref": format!("#/channels/{}", self.key) },
            "title": self.title,
            "description": text,
            "messages": references.collect::<Vec<_>>(),
            "tags": [{ "name": "realtime" }],
        });
        if self.kind != ChannelKind::Everybody {
            operation["security"] = json!([{ "$ref": "#/components/securitySchemes/channelAuthorization" }]);
        }
        operation
    }

    fn messages<'m>(&self, all: &'m [Message]) -> impl Iterator<Item = &'m Message> {
        let kind = self.kind;
        all.iter().filter(move |it| it.channels.contains(&kind))
    }

    fn address(&self) -> String {
        let (beginning, id) = self.kind.address();
        id.map_or(beginning.to_owned(), |id| format!("{beginning}{{{id}}}"))
    }
}

fn of(id: &str) -> &str {
    match id {
        "groupId" => "message group",
        "circleId" => "circle",
        _ => "person, as `GET /auth/me` has it",
    }
}

fn lowered(text: &str) -> String {
    text.chars().enumerate().map(|(at, it)| if at == 0 { it.to_ascii_lowercase() } else { it }).collect()
}

fn capital(word: &str) -> String {
    word.chars().enumerate().map(|(at, it)| if at == 0 { it.to_ascii_uppercase() } else { it }).collect()
}
