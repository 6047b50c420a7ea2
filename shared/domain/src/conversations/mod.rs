//! Message groups: two people, or a crowd, and what they write to one another.
//!
//! Nothing is written per member when a message is sent. The group counts its messages, and each
//! member's own; a member remembers how many of the others' they have seen. What is unread is the
//! difference: exact, and nothing that could drift. See [`Group::unread_by`].

mod chat;
mod closing;
mod create;
mod events;
mod history;
mod list;
mod reads;
mod rows;
mod send;
mod values;
mod view;

pub use chat::{ChatDraft, ChatMessage, MessageStatus, chat_history, chat_seen, chat_send};
pub use closing::{closing, opening};
pub use create::{GroupDraft, Opened, create};
pub use events::{MessageSeen, MessageSent};
pub use history::history;
pub use list::{UnreadGroup, list, members, unread};
pub use reads::{ReadMark, ReadRequest, mark_read};
pub use rows::{Group, Member, Message, key, member_key, message_key};
pub use send::{MessageDraft, send};
pub use values::{GroupType, MessageContent, MessageType, Usernames};
pub use view::{Conversation, GroupView, MessageView};

use platform::{Result, error::Error, table::Together};

use crate::ids::{GroupId, UserId};

const NO_GROUP: Error = Error::NotFound("message group");
const NO_MESSAGE: Error = Error::NotFound("message");

/// The group and the caller's membership, out of what was read.
fn membership(found: &mut Together, group: GroupId, user: UserId) -> Result<(Group, Member)> {
    let group: Group = found.take(&key(group))?.ok_or(NO_GROUP)?;
    let member: Option<Member> = found.take(&member_key(group.id, user))?;
    let member = member.ok_or(Error::Forbidden("you are not a member of this group".into()))?;
    Ok((group, member))
}
