//! A message's row.

use std::collections::HashMap;

use base::ids::{GroupId, MessageId, UserId};
use platform::{
    error::Error,
    table::{Key, Row, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    group::{self, Group, NO_GROUP},
    member::Member,
    values::{MessageContent, MessageType},
};

/// The group's attribute that names its newest message.
pub(super) const LAST_MESSAGE: &str = "lastMessageId";
pub(super) const NO_MESSAGE: Error = Error::NotFound("message");
/// The prefix of the sort keys of messages.
pub(super) const SORT_KEY_PREFIX: &str = "MSG#";
/// The prefix of the attributes that hold reactions.
const REACTION_PREFIX: &str = "r";
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
    /// The message that it answers.
    pub reply_to: Option<MessageId>,
    /// The time of the last edit.
    pub edited_at: Option<Time>,
    /// The time of the deletion.
    pub deleted_at: Option<Time>,
    /// How often somebody reacted, or took that back; none before the first time.
    pub(super) reactions_seq: Option<i64>,
    /// The row's other attributes: each person's reaction.
    #[serde(flatten, skip_serializing)]
    pub(super) others: HashMap<String, Value>,
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
    /// Returns a message that is sent now.
    pub(super) fn new(
        (group, sender): (GroupId, UserId),
        (id, created_at): (MessageId, Time),
        (content, kind): (MessageContent, MessageType),
        reply_to: Option<MessageId>,
    ) -> Self {
        let (edited_at, deleted_at, reactions_seq) = (None, None, None);
        let others = HashMap::new();
        Self {
            id,
            group,
            sender,
            content,
            kind,
            created_at,
            reply_to,
            edited_at,
            deleted_at,
            reactions_seq,
            others,
        }
    }

    /// Returns what stays of it: who sent it, and when. What is unread stays exact by it.
    pub(super) fn stub(self, now: Time) -> Self {
        let Self { id, group, sender, created_at, .. } = self;
        let stub = (MessageContent::gone(), MessageType::Text);
        Self { deleted_at: Some(now), ..Self::new((group, sender), (id, created_at), stub, None) }
    }

    /// Returns who reacted, and with what, unless it was deleted.
    pub(super) fn reactions(&self) -> impl Iterator<Item = (UserId, &str)> {
        let reactions = self.others.iter().filter(|_| self.deleted_at.is_none());
        reactions.filter_map(|(name, emoji)| {
            let user = name.strip_prefix(REACTION_PREFIX)?.parse().ok()?;
            emoji.as_str().map(|it| (user, it))
        })
    }

    /// Returns somebody's reaction.
    pub fn reaction_of(&self, user: UserId) -> Option<&str> {
        self.others.get(&Self::reaction_attribute(user))?.as_str()
    }

    /// Returns the name of the attribute that holds somebody's reaction.
    pub fn reaction_attribute(user: UserId) -> String {
        format!("{REACTION_PREFIX}{user}")
    }

    /// Returns whether an attribute holds a reaction.
    pub fn is_reaction(attribute: &str) -> bool {
        attribute.strip_prefix(REACTION_PREFIX).is_some_and(|it| it.parse::<UserId>().is_ok())
    }

    /// Returns it with somebody's reaction, or without it.
    pub(super) fn with_reaction(mut self, user: UserId, emoji: Option<String>) -> Self {
        let attribute = Self::reaction_attribute(user);
        match emoji {
            Some(it) => self.others.insert(attribute, it.into()),
            None => self.others.remove(&attribute),
        };
        self
    }

    /// Returns the write that counts it and, unless it was overtaken, makes it the group's newest message. It is stale
    /// when it was overtaken meanwhile, and refused in a closed group and to somebody who left.
    pub(super) fn group_write(&self, group: &Group, sender: &Member, place: Place) -> Write {
        let write = Write::update(group::key(self.group)).exists().or(NO_GROUP);
        let write = write.add("messagesCount", 1).add(&sender.count_attribute(), 1);
        let write = group.if_open_write(write.lacks(&sender.left_attribute()));
        match place {
            Place::Overtaken => write.above(LAST_MESSAGE, self.id),
            Place::Newest => write
                .set(LAST_MESSAGE, self.id)
                .set("lastMessageAt", self.created_at)
                .set("lastMessagePreview", self.content.preview())
                .set("lastSenderId", self.sender)
                .below_or_lacks(LAST_MESSAGE, self.id)
                .or(Error::WriteConflict),
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
