//! Writing a post.

use platform::{App, Result, idempotency::Once, table::Write};

use super::{
    author::find_author,
    draft::{Draft, drafted_post},
    effects::{notification_writes, send_fan_out},
};
use crate::{
    ids::UserId,
    jobs::IndexJob,
    ledger::action_log::{Action, ActionType},
    posts::{Post, PostType, feed_index, notices, timeline},
};

/// Writes a post. Costs 3 calls, 1 RRU, 13 WRU for 1 KB (15 with a topic) and 2 sends; mentions add 1
/// call, and 1 call, 3 RRU and 5 WRU each.
///
/// # Errors
/// [`platform::Error::NotFound`] when the author does not exist, [`platform::Error::Invalid`] for an
/// unknown mention, [`platform::Error::Forbidden`] for a mention where a block stands between.
pub async fn create(app: &App, author: UserId, draft: Draft, once: &Once) -> Result<Post> {
    let post = once.run(app, author, create_writes(app, author, draft)).await?;
    let index = IndexJob::Post { post: post.id };
    futures::try_join!(app.queues.send(&index), send_fan_out(app, &post))?;
    feed_index::raise_version(app, post.shard).await;
    Ok(post)
}

async fn create_writes(app: &App, author: UserId, draft: Draft) -> Result<(Vec<Write>, Post)> {
    let author = find_author(app, author, draft.mentions.as_ref()).await?;
    let post = drafted_post(app, &author, PostType::Post, draft);
    let action = Action::on_post(post.author, ActionType::PostCreated, post.id, post.created_at);
    let writes = [Write::create(&post), timeline::own_write(app, &post), action.log_write()];
    let notify = notification_writes(app, notices::mentions(app, &post)).await?;
    Ok((writes.into_iter().chain(notify).collect(), post))
}
