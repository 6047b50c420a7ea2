//! Message groups and their messages. A group is either a private group of two users, or a crowd of three or more
//! users.
//!
//! A message costs no write per member. The group's row counts all messages, and the messages that each member sent. A
//! member's row counts the messages from other members that the member has seen. The exact number of unread messages is
//! computed from these counts. See [`Member::unread_in`].
//!
//! Any member of a crowd can add members and change the crowd's name and picture. Only the owner can remove members.
//! New members can read only messages that are sent after they joined. Former members cannot read any messages. See
//! [`leave()`].
//!
//! This crate uses people. It also uses uploads, for the picture of a crowd.

mod chat;
mod close;
mod create;
mod crowd;
mod deletion;
mod edit;
mod events;
mod group;
mod hidden;
mod history;
mod join;
mod leave;
mod left;
mod list;
mod member;
mod member_list;
mod message;
mod message_views;
mod mute;
mod newest;
mod pair;
mod profile;
mod react;
mod read;
mod readable;
mod reads;
mod replies;
mod send;
mod subscribe;
mod values;
mod view;

pub use chat::{ChatDraft, ChatMessage, MessageStatus, chat_history, chat_seen, chat_send};
pub use close::{close_write, reopen_write};
pub use create::{GroupDraft, Opened, create};
pub use crowd::change;
pub use deletion::{listed_after, people_of, stub_page, withdraw};
pub use edit::{MessageEdit, delete, edit};
pub use events::{
    GroupChanged, MemberJoined, MemberLeft, MessageDeleted, MessageEdited, MessageReacted, MessageSeen,
    MessageSent,
};
pub use group::{Group, key};
pub use history::history;
pub use join::{Joined, MemberDraft, add};
pub use leave::{Departed, leave, purge, remove};
pub use left::left_after;
pub use list::{UnreadGroup, list, unread};
pub use member::{Member, member_key, members, move_to_head};
pub use member_list::{GroupMember, list_members};
pub use message::{Message, message_key};
pub use mute::{GroupMuteRequest, GroupMuted, mute};
pub use profile::{GroupChange, Profile, find_profile, show_copy};
pub use react::{ReactionRequest, react};
pub use read::find;
pub use reads::{ReadMark, ReadRequest, mark_read};
pub use send::{MessageDraft, send};
pub use subscribe::may_subscribe;
pub use values::{Emoji, GroupName, GroupType, MessageContent, MessageType, UserRefs};
pub use view::{Conversation, GroupView, MessageView, ReactionCount, RepliedMessage, SentMessage};
