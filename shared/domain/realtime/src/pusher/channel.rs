//! The channels of the push provider, and their names.

use std::{fmt, str::FromStr};

use base::{CircleId, GroupId, UserId};
use serde::Deserialize;

const USER: &str = "private-user-";
const CHAT: &str = "private-chat-";
const CIRCLE: &str = "presence-circle-";
const PRESENCE: &str = "presence-user-";
const PUBLIC: &str = "notifications";

/// A kind of channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelKind {
    /// Events for one user.
    User,
    /// Events of a message group.
    Chat,
    /// The presence of a user: the user's connected devices.
    Presence,
    /// Events of a circle, and the presence of its members.
    Circle,
    /// Events for all clients. These events contain no personal data.
    Public,
}

impl ChannelKind {
    /// Every kind.
    pub const ALL: [Self; 5] = [Self::User, Self::Chat, Self::Presence, Self::Circle, Self::Public];

    /// Returns the prefix of the channels' names, and the kind of ID after the prefix. The kind of ID is `None` if
    /// there is only one such channel.
    pub fn address(self) -> (&'static str, Option<&'static str>) {
        match self {
            Self::User => (USER, Some("userId")),
            Self::Chat => (CHAT, Some("groupId")),
            Self::Presence => (PRESENCE, Some("userId")),
            Self::Circle => (CIRCLE, Some("circleId")),
            Self::Public => (PUBLIC, None),
        }
    }
}

/// A channel.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "String")]
pub enum Channel {
    /// A user's own events.
    User(UserId),
    /// A user's presence.
    Presence(UserId),
    /// The events of a message group.
    Chat(GroupId),
    /// The events of a circle and the presence of its members.
    Circle(CircleId),
    /// The channel for all clients, which needs no authorization.
    Public,
    /// Any other channel.
    Other,
}

impl From<String> for Channel {
    /// Accepts only names of channels to which events are pushed. A name with a user's public ID becomes
    /// [`Channel::Other`].
    fn from(name: String) -> Self {
        let channel = id_after(USER, &name)
            .map(Self::User)
            .or_else(|| id_after(PRESENCE, &name).map(Self::Presence))
            .or_else(|| id_after(CIRCLE, &name).map(Self::Circle))
            .or_else(|| id_after(CHAT, &name).map(Self::Chat));
        channel.filter(|channel| channel.to_string() == name).unwrap_or(Self::Other)
    }
}

fn id_after<T: FromStr>(prefix: &str, name: &str) -> Option<T> {
    name.strip_prefix(prefix)?.parse().ok()
}

impl fmt::Display for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::User(user) => write!(f, "{USER}{user}"),
            Self::Presence(user) => write!(f, "{PRESENCE}{user}"),
            Self::Chat(group) => write!(f, "{CHAT}{group}"),
            Self::Circle(circle) => write!(f, "{CIRCLE}{circle}"),
            Self::Public => f.write_str(PUBLIC),
            Self::Other => Ok(()),
        }
    }
}
