//! Writing: a post, a reply, a quote, a repost. Each is one transaction.

mod author;
mod create;
mod draft;
mod effects;
mod permission;
mod quote;
mod reply;
mod repost;

pub use create::create;
pub use draft::{Draft, QuoteDraft, ReplyDraft};
pub use quote::quote;
pub use reply::reply;
pub use repost::{Reposted, repost};
