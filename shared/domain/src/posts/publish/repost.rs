//! Reposting a post: once a user and original.

use platform::{App, Result, idempotency::Once, retry_stale, table::Write};

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
    posts::{Post, engagements, find, key, visible::check_shareable},
};

/// A repost: a new one, or the one that there was.
pub enum Reposted {
    /// It was made, now or by the same request before.
    New(Post),
    /// The user had reposted the original already.
    Existing(Post),
}

/// Reposts a post, or returns the user's repost of it that exists. Costs 7 calls, 5.5 RRU
/// and 20 WRU.
///
/// # Errors
/// [`platform::Error::NotFound`] when the post does not exist.
pub async fn repost(app: &App, author: UserId, shared: PostId, once: &Once) -> Result<Reposted> {
    retry_stale(async || find_or_create(app, author, shared, once).await).await
}

async fn find_or_create(app: &App, author: UserId, shared: PostId, once: &Once) -> Result<Reposted> {
    let owner = author.to_string();
    if let Some(earlier) = once.earlier(app, &owner).await? {
        return Ok(Reposted::New(earlier));
    }
    let (author, shared) = futures::try_join!(find_author(app, author, None), find(app, shared))?;
    check_shareable(app, author.id, &shared).await?;
    if let Some(existing) = find_existing(app, author.id, shared.root()).await? {
        // The same request may have made it a moment ago.
        let earlier = once.earlier(app, &owner).await?;
        return Ok(earlier.map_or(Reposted::Existing(existing), Reposted::New));
    }
    let post = repost_of(app, &author, &shared);
    once.commit(app, &owner, repost_writes(app, &author, shared.root(), &post), post).await.map(Reposted::New)
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
