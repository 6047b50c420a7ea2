//! A message's row.

use platform::{
    error::Error,
    table::{Key, Row, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};

use super::{
    group::{self, NO_GROUP},
    member::Member,
    values::{MessageContent, MessageType},
};
use crate::ids::{GroupId, MessageId, UserId};

pub(super) const NO_MESSAGE: Error = Error::NotFound("message");
/// The prefix of the sort keys of messages.
pub(super) const SORT_KEY_PREFIX: &str = "MSG#";
/// A sort key above those of all messages.
pub(super) const SORT_KEY_END: &str = "MSG#~";

/// A message's row.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Message {
    /// The message's id.
    pub id: MessageId,
    /// The group it was sent to.
    pub group: GroupId,
    /// The member who sent it.
    pub sender: UserId,
    /// The text, or the address of the picture or file.
    pub content: MessageContent,
    /// The kind of content.
    #[serde(rename = "type")]
    pub kind: MessageType,
    /// The time at which it was sent.
    pub created_at: Time,
}

impl Message {
    /// Returns the write that makes it the group's newest message and counts it.
    pub(super) fn group_write(&self, sender: &Member) -> Write {
        Write::update(group::key(self.group))
            .set("lastMessageId", self.id)
            .set("lastMessageAt", self.created_at)
            .set("lastMessagePreview", self.content.preview())
            .add("messagesCount", 1)
            .add(&sender.count_attribute(), 1)
            .exists()
            .or(NO_GROUP)
    }
}

/// Returns the key of a message.
pub fn message_key(group: GroupId, message: MessageId) -> Key {
    Key::new(group::partition(group), format!("{SORT_KEY_PREFIX}{message}"))
}

/// `GROUP#id / MSG#ulid`
impl Row for Message {
    fn key(&self) -> Key {
        message_key(self.group, self.id)
    }
}
