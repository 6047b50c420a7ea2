//! The channels that somebody may subscribe to.

use std::fmt;

use serde::Deserialize;

use crate::ids::{CircleId, GroupId, UserId};

const USER: &str = "private-user-";
const CHAT: &str = "private-chat-";
const CIRCLE: &str = "presence-circle-";
const PRESENCE: &str = "presence-user-";

/// A channel, by its name.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "String")]
pub enum Channel {
    /// What concerns a person.
    User(UserId),
    /// Whether a person is there.
    Presence(UserId),
    /// A group of people who write to each other, by its id.
    Chat(GroupId),
    /// A circle, and which of its members are there.
    Circle(CircleId),
    /// Nothing of ours, or open to all.
    Other,
}

impl From<String> for Channel {
    /// Only the one spelling that events are sent to: a person's other id is another channel.
    fn from(name: String) -> Self {
        let user = |id: &str| id.parse::<UserId>().ok();
        let channel = if let Some(rest) = name.strip_prefix(USER) {
            user(rest).map(Self::User)
        } else if let Some(rest) = name.strip_prefix(PRESENCE) {
            user(rest).map(Self::Presence)
        } else if let Some(rest) = name.strip_prefix(CIRCLE) {
            rest.parse().ok().map(Self::Circle)
        } else {
            name.strip_prefix(CHAT).and_then(|it| it.parse().ok()).map(Self::Chat)
        };
        channel.filter(|it| it.to_string() == name).unwrap_or(Self::Other)
    }
}

impl fmt::Display for Channel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::User(user) => write!(f, "{USER}{user}"),
            Self::Presence(user) => write!(f, "{PRESENCE}{user}"),
            Self::Chat(group) => write!(f, "{CHAT}{group}"),
            Self::Circle(circle) => write!(f, "{CIRCLE}{circle}"),
            Self::Other => Ok(()),
        }
    }
}
