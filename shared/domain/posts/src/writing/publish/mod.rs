//! Creates posts, replies, quotes and reposts. A new post and all its effects are written in one transaction.

mod author;
mod counted;
mod create;
mod draft;
mod drafted;
mod effects;
mod limited;
mod notification_events;
mod permission;
mod quote;
mod reply;
mod repost;

pub(crate) use author::{NO_AUTHOR, check_mentioned};
pub use create::create;
pub use draft::{Draft, PostDraft, QuoteDraft, ReplyDraft, Target};
pub use quote::quote;
pub use reply::reply;
pub use repost::{Reposted, repost};

use base::UserId;
use ledger::post_limits;
use people::relationships;
use platform::{App, Once, Result, Write};

use self::{counted::retry_contended, limited::limited};
use crate::{Post, find_eventual};

/// Creates a post, reply or quote.
async fn publish(app: &App, author: UserId, target: Target, draft: PostDraft, once: &Once) -> Result<Post> {
    let draft = draft.resolve(app).await?;
    let still_unblocked =
        async |post| check_unblocked(app, author, target, draft.mentioned()).await.map(|()| post);
    post_limits::count(app, once, author).await?;
    let work = async || limited(app, once, author, publish_writes(app, author, target, draft.clone()).await?);
    let run = async || once.run_while(app, author, &still_unblocked, &work).await;
    match target {
        Target::Post => run().await,
        Target::Reply(_) | Target::Quote(_) => retry_contended(run).await,
    }
}

/// Checks that no block exists between the author of a post and the mentioned users. For a reply, also checks the
/// author of the parent, unless the parent was deleted.
async fn check_unblocked(app: &App, author: UserId, target: Target, mentioned: &[UserId]) -> Result<()> {
    let parent = match target {
        Target::Reply(parent) => find_eventual(app, parent).await.ok(),
        Target::Post | Target::Quote(_) => None,
    };
    let others = mentioned.iter().copied().chain(parent.map(|parent| parent.author));
    let others: Vec<_> = others.filter(|user| *user != author).collect();
    relationships::check_all_unblocked(app, author, &others).await
}

/// Returns a new post, reply or quote, and the writes that create it. Fails for the same reasons as [`create()`],
/// [`reply()`] and [`quote()`].
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
