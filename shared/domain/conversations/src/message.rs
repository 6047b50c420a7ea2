//! The row of a message.

use std::collections::HashMap;

use base::{GroupId, MessageId, UserId};
use platform::{Error, Key, Row, Time, Write};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    group::{self, Group, NO_GROUP},
    member::Member,
    values::{MessageContent, MessageType},
};

/// Attribute of the group that stores the ID of the newest message.
pub(super) const LAST_MESSAGE: &str = "lastMessageId";
pub(super) const NO_MESSAGE: Error = Error::NotFound("message");
pub(super) const SORT_KEY_PREFIX: &str = "MSG#";
const REACTION_PREFIX: &str = "r";
/// A sort key that is higher than the sort keys of all messages.
pub(super) const SORT_KEY_END: &str = "MSG#~";

/// A message's row.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Message {
    /// The message's ID.
    pub id: MessageId,
    /// The group that the message was sent to.
    pub group: GroupId,
    /// The member who sent the message.
    pub sender: UserId,
    /// The text, or the URL of the picture or file.
    pub content: MessageContent,
    /// The kind of content.
    #[serde(rename = "type")]
    pub kind: MessageType,
    /// The time at which the message was sent.
    pub created_at: Time,
    /// The message to which this message replies.
    pub reply_to: Option<MessageId>,
    /// The time of the last edit.
    pub edited_at: Option<Time>,
    /// The time of the deletion.
    pub deleted_at: Option<Time>,
    /// The number of changes to reactions, or `None` before the first change.
    pub(super) reactions_seq: Option<i64>,
    /// All other attributes. These attributes contain each user's reaction.
    #[serde(flatten, skip_serializing)]
    pub(super) others: HashMap<String, Value>,
}

/// Whether a newer message was stored while this message was being sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Recency {
    /// No newer message is stored.
    Newest,
    /// A newer message is stored.
    Overtaken,
}

impl Message {
    pub(super) fn new(
        (group, sender): (GroupId, UserId),
        (id, created_at): (MessageId, Time),
        (content, kind): (MessageContent, MessageType),
        reply_to: Option<MessageId>,
    ) -> Self {
        Self {
            id,
            group,
            sender,
            content,
            kind,
            created_at,
            reply_to,
            edited_at: None,
            deleted_at: None,
            reactions_seq: None,
            others: HashMap::new(),
        }
    }

    /// Returns the message as a deleted message, with only its sender and time. The row stays, because replies refer to
    /// it.
    pub(super) fn stub(self, now: Time) -> Self {
        let Self { id, group, sender, created_at, .. } = self;
        let stub = (MessageContent::deleted(), MessageType::Text);
        Self { deleted_at: Some(now), ..Self::new((group, sender), (id, created_at), stub, None) }
    }

    /// Returns the reactions as pairs of a user and an emoji. A deleted message has no reactions.
    pub(super) fn reactions(&self) -> impl Iterator<Item = (UserId, &str)> {
        let reactions = self.others.iter().filter(|_| self.deleted_at.is_none());
        reactions.filter_map(|(name, emoji)| {
            let user = name.strip_prefix(REACTION_PREFIX)?.parse().ok()?;
            emoji.as_str().map(|emoji| (user, emoji))
        })
    }

    /// Returns a user's reaction, or `None` if there is none.
    pub fn reaction_of(&self, user: UserId) -> Option<&str> {
        self.others.get(&Self::reaction_attribute(user))?.as_str()
    }

    /// Returns the name of the attribute that stores a user's reaction.
    pub fn reaction_attribute(user: UserId) -> String {
        format!("{REACTION_PREFIX}{user}")
    }

    /// Returns whether the attribute with this name stores a reaction.
    pub fn is_reaction(attribute: &str) -> bool {
        attribute.strip_prefix(REACTION_PREFIX).is_some_and(|user| user.parse::<UserId>().is_ok())
    }

    /// Returns the message with a user's reaction set or removed.
    pub(super) fn with_reaction(mut self, user: UserId, emoji: Option<String>) -> Self {
        let attribute = Self::reaction_attribute(user);
        match emoji {
            Some(emoji) => self.others.insert(attribute, emoji.into()),
            None => self.others.remove(&attribute),
        };
        self
    }

    /// Returns the write that counts the message in its group. With [`Recency::Newest`], the write also makes the
    /// message the group's newest message. In this case the write fails with a conflict if a newer message has been
    /// stored. The write also fails if the group is closed or the sender left.
    pub(super) fn group_write(&self, group: &Group, sender: &Member, recency: Recency) -> Write {
        let write = Write::update(group::key(self.group)).exists().or(NO_GROUP);
        let write = write.add("messagesCount", 1).add(&sender.count_attribute(), 1);
        let write = group.if_open_write(write.lacks(&sender.left_attribute()));
        match recency {
            Recency::Overtaken => write.above(LAST_MESSAGE, self.id),
            Recency::Newest => {
                with_newest(write, Some(self)).below_or_lacks(LAST_MESSAGE, self.id).or(Error::WriteConflict)
            }
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

/// Extends `write`, which changes a group, to set the group's newest message.
pub(super) fn with_newest(write: Write, newest: Option<&Message>) -> Write {
    match newest {
        Some(message) => write
            .set(LAST_MESSAGE, message.id)
            .set("lastMessageAt", message.created_at)
            .set("lastMessagePreview", message.content.preview())
            .set("lastSenderId", message.sender),
        None => write
            .remove(LAST_MESSAGE)
            .remove("lastMessageAt")
            .remove("lastMessagePreview")
            .remove("lastSenderId"),
    }
}
