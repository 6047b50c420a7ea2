//! Creates posts, replies, quotes and reposts. A new post and all its effects are written in one transaction.

mod author;
mod counted;
mod create;
mod draft;
mod effects;
mod limited;
mod notification_events;
mod permission;
mod quote;
mod reply;
mod repost;

pub(crate) use author::check_mentioned;
pub use create::create;
pub use draft::{Draft, PostDraft, QuoteDraft, ReplyDraft, Target};
pub use quote::quote;
pub use reply::reply;
pub use repost::{Reposted, repost};

use base::ids::UserId;
use platform::{App, Result, table::Write};

use crate::Post;

/// Returns a new post, reply or quote, and the writes that create it.
///
/// # Errors
/// Fails as [`create()`], [`reply()`] and [`quote()`] do.
pub(crate) async fn publish_writes(
    app: &App,
    author: UserId,
    target: Target,
    draft: Draft,
) -> Result<(Vec<Write>, Post)> {
    match target {
        Target::Post => create::create_writes(app, author, draft).await,
        Target::Reply(parent) => reply::reply_writes(app, author, parent, draft).await,
        Target::Quote(origin) => quote::quote_writes(app, author, origin, draft).await,
    }
}
