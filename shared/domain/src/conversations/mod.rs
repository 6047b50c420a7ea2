//! Message groups: two people or a crowd, and the messages they send.
//!
//! A message costs no write for each member. The group counts its messages, and those of each member;
//! a member's row keeps how many messages of the others they have seen. The difference is what is
//! unread: it is exact and cannot drift. See [`Member::unread_in`].
//!
//! Uses people.

mod chat;
mod close;
mod create;
mod events;
mod group;
mod history;
mod list;
mod listen;
mod member;
mod message;
mod pair;
mod reads;
mod send;
mod values;
mod view;
mod withdraw;

pub use chat::{ChatDraft, ChatMessage, MessageStatus, chat_history, chat_seen, chat_send};
pub use close::{close_write, reopen_write};
pub use create::{GroupDraft, Opened, create};
pub use events::{MessageSeen, MessageSent};
pub use group::{Group, key};
pub use history::history;
pub use list::{UnreadGroup, list, unread};
pub use listen::may_listen;
pub use member::{Member, member_key, members, move_to_head};
pub use message::{Message, message_key};
pub use reads::{ReadMark, ReadRequest, mark_read};
pub use send::{MessageDraft, send};
pub use values::{GroupType, MessageContent, MessageType, Usernames};
pub use view::{Conversation, GroupView, MessageView};
pub(crate) use withdraw::{leave, left_after, listed_after, people_of, stub_page};
