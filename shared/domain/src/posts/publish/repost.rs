//! Reposting a post: once a user and original.

use platform::{App, Result, retry_stale, table::Write};

use super::{
    author::find_author,
    draft::repost_of,
    effects::{count_write, timelines_write},
};
use crate::{
    ids::{PostId, UserId},
    ledger::{
        action_log::{Action, ActionType},
        statistics::{self, Count},
    },
    people::users::User,
    posts::{Post, engagements, find, key},
};

/// Reposts a post, or returns the user's repost of it that exists. Costs 7 calls, 5.5 RRU
/// and 19 WRU.
///
/// # Errors
/// [`platform::Error::NotFound`] when the post does not exist.
pub async fn repost(app: &App, author: UserId, shared: PostId) -> Result<Post> {
    retry_stale(async || find_or_create(app, author, shared).await).await
}

async fn find_or_create(app: &App, author: UserId, shared: PostId) -> Result<Post> {
    let (author, shared) = futures::try_join!(find_author(app, author, None), find(app, shared))?;
    if let Some(existing) = find_existing(app, author.id, shared.root()).await? {
        return Ok(existing);
    }
    let post = repost_of(app, &author, &shared);
    app.table.transact(repost_writes(app, &author, shared.root(), &post)).await?;
    Ok(post)
}

async fn find_existing(app: &App, author: UserId, origin: PostId) -> Result<Option<Post>> {
    let engagement = engagements::find(app, author, origin).await?;
    let Some(repost) = engagement.and_then(|it| it.repost) else { return Ok(None) };
    app.table.get(&key(repost)).await
}

fn repost_writes(app: &App, author: &User, origin: PostId, post: &Post) -> Vec<Write> {
    vec![
        engagements::update_write(author.id, origin).set("repost", post.id).lacks("repost"),
        Write::create(post),
        count_write(origin, "repostsCount"),
        Action::on_post(author.id, ActionType::ShareCreated, origin, post.created_at).log_write(),
        timelines_write(app, post),
        statistics::count_write(post.id.random(), Count::Posts, 1),
    ]
}
