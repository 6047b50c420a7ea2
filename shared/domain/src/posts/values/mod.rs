//! The values that a post consists of. Each is checked when it is parsed, so a value that exists is valid.

mod audience;
mod media;
mod text;

pub use audience::{Mentions, ReplyPermission, Visibility};
pub use media::{Alt, Media, MediaDraft, MediaDrafts, MediaList, MediaView};
pub use text::Content;
