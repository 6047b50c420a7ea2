//! A message's row.

use platform::{
    error::Error,
    table::{Key, Row, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};

use super::{
    group::{self, Group, NO_GROUP},
    member::Member,
    values::{MessageContent, MessageType},
};
use crate::ids::{GroupId, MessageId, UserId};

/// The group's attribute that names its newest message.
const LAST_MESSAGE: &str = "lastMessageId";
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

/// Where a message stands among those that are sent at the same moment. Who was overtaken stays so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// No newer message is stored.
    Newest,
    /// A newer message is stored.
    Overtaken,
}

impl Message {
    /// Returns the write that counts it and, unless it was overtaken, makes it the group's newest message. It is stale
    /// when it was overtaken meanwhile, and forbidden in a closed group.
    pub(super) fn group_write(&self, group: &Group, sender: &Member, place: Place) -> Write {
        let write = Write::update(group::key(self.group)).exists().or(NO_GROUP);
        let write = write.add("messagesCount", 1).add(&sender.count_attribute(), 1);
        let write = group.if_open_write(write);
        match place {
            Place::Overtaken => write.above(LAST_MESSAGE, self.id),
            Place::Newest => write
                .set(LAST_MESSAGE, self.id)
                .set("lastMessageAt", self.created_at)
                .set("lastMessagePreview", self.content.preview())
                .set("lastSenderId", self.sender)
                .below_or_lacks(LAST_MESSAGE, self.id)
                .or(Error::Stale),
        }
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
