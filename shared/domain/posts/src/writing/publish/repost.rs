//! Reposts posts. Each user can have at most one repost of an original.

use base::{PostId, UserId};
use platform::{App, Once, Result, Write};
use serde::{Deserialize, Serialize};

use super::{
    author::find_author, counted::share_writes, draft::repost_of, limited, notification_events::share_events,
    retry_contended,
};
use crate::{Engagement, Post, check_shareable, engagements, find, key};
use ledger::post_limits;

/// The result of a repost request.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Reposted {
    /// The repost.
    #[serde(flatten)]
    pub post: Post,
    /// Whether the user had already reposted the original.
    #[serde(default)]
    pub is_earlier: bool,
}

/// Reposts a post, or returns the user's existing repost. If the user deleted an earlier repost, the author's
/// notification changes, but is not marked as unread again.
///
/// # Errors
/// Fails with [`platform::Error::NotFound`] if the post does not exist.
pub async fn repost(app: &App, author: UserId, shared: PostId, once: &Once) -> Result<Reposted> {
    post_limits::count(app, once, author).await?;
    let work = async || limited(app, once, author, find_or_create(app, author, shared).await?);
    retry_contended(async || once.run(app, author, &work).await).await
}

async fn find_or_create(app: &App, author: UserId, shared: PostId) -> Result<(Vec<Write>, Reposted)> {
    let (author, shared) = futures::try_join!(find_author(app, author, &[]), find(app, shared))?;
    check_shareable(app, author.id, &shared).await?;
    let engagement = engagements::find(app, author.id, shared.root()).await?;
    if let Some(post) = find_existing(app, engagement.as_ref()).await? {
        return Ok((Vec::new(), Reposted { post, is_earlier: true }));
    }
    let post = repost_of(app, &author, &shared);
    let notified = share_events(app, &post, &shared, Vec::new()).await?;
    let notified = match engagement.is_some_and(|engagement| engagement.repost_notified) {
        true => notified.returning(),
        false => notified,
    };
    let engagement = engagements::update_write(author.id, shared.root());
    let engagement = engagement.set("repost", post.id).lacks("repost");
    let engagement =
        if notified.events.is_empty() { engagement } else { engagement.set("repostNotified", true) };
    let mut writes = share_writes(app, &post, &shared, engagement, &notified);
    writes.push(Write::create(&post));
    Ok((writes, Reposted { post, is_earlier: false }))
}

async fn find_existing(app: &App, engagement: Option<&Engagement>) -> Result<Option<Post>> {
    let Some(repost) = engagement.and_then(|engagement| engagement.repost) else { return Ok(None) };
    app.table.get(&key(repost)).await
}
