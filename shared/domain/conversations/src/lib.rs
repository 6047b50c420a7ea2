//! Message groups: two people or a crowd, and the messages they send.
//!
//! A message costs no write for each member. The group counts its messages, and those of each member;
//! a member's row keeps how many messages of the others they have seen. The difference is what is
//! unread: it is exact and cannot drift. See [`Member::unread_in`].
//!
//! A crowd is its members': any of them adds others and names it, its owner removes members. Who joins reads what comes from
//! then on; who leaves reads nothing any more. See [`depart`].
//!
//! Uses people, and media for the picture of a crowd.

mod chat;
mod close;
mod create;
mod crowd;
mod depart;
mod edit;
mod events;
mod group;
mod history;
mod join;
mod left;
mod list;
mod listen;
mod member;
mod member_list;
mod message;
mod mute;
mod pair;
mod profile;
mod react;
mod readable;
mod reads;
mod replies;
mod send;
mod shown;
mod values;
mod view;
mod withdraw;

pub use chat::{ChatDraft, ChatMessage, MessageStatus, chat_history, chat_seen, chat_send};
pub use close::{close_write, reopen_write};
pub use create::{GroupDraft, Opened, create};
pub use crowd::{Joined, add, change};
pub use depart::purge;
pub use depart::{Departed, leave, remove};
pub use edit::{MessageEdit, delete, edit};
pub use events::{
    GroupChanged, MemberJoined, MemberLeft, MessageDeleted, MessageEdited, MessageReacted, MessageSeen,
    MessageSent,
};
pub use group::{Group, key};
pub use history::history;
pub use join::MemberDraft;
pub use left::left_after;
pub use list::{UnreadGroup, list, unread};
pub use listen::may_listen;
pub use member::{Member, member_key, members, move_to_head};
pub use member_list::{GroupMember, list_members};
pub use message::{Message, message_key};
pub use mute::{GroupMuteRequest, GroupMuted, mute};
pub use profile::{GroupChange, Profile, find_profile};
pub use react::{ReactionRequest, react};
pub use reads::{ReadMark, ReadRequest, mark_read};
pub use send::{MessageDraft, send};
pub use values::{Emoji, GroupName, GroupType, MessageContent, MessageType, Usernames};
pub use view::{Conversation, GroupView, MessageView, ReactionCount, RepliedMessage};
pub use withdraw::{listed_after, people_of, stub_page, withdraw};
