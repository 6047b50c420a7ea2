//! The value types of a post. Parsing validates a value, so every instance is valid.

mod audience;
mod counter;
mod media;
mod poll;
mod post_type;
mod text;

pub(crate) use audience::UNKNOWN;
pub use audience::{MentionRefs, Mentions, PublicMentions, ReplyPermission, Visibility};
pub use counter::Counter;
pub use media::{Alt, Media, MediaDraft, MediaDrafts, MediaList, MediaView};
pub use poll::{PollDraft, PollMinutes, PollOption, PollOptions, Question};
pub use post_type::PostType;
pub use text::{Content, Spoiler};
