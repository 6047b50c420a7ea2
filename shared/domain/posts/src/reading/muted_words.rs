//! Filters posts by the words that the reader mutes.

use std::collections::HashSet;

use base::UserId;
use people::Mutes;
use platform::{App, Result};

use crate::{Post, key};

/// Removes posts that contain a muted word, in their own text or in their original's text. Keeps all posts of the
/// viewer.
pub(crate) async fn without_muted_words(
    app: &App,
    viewer: UserId,
    mutes: Option<&Mutes>,
    mut posts: Vec<Post>,
) -> Result<Vec<Post>> {
    let Some(words) = mutes.and_then(|mutes| mutes.word_filter(app.now())) else { return Ok(posts) };
    let is_muted = |post: &Post| post.author != viewer && words.hides(&post.text());
    let shared = posts.iter().filter(|post| post.author != viewer).filter_map(|post| post.origin);
    let shared: HashSet<_> = shared.collect();
    let keys: Vec<_> = shared.into_iter().map(key).collect();
    let origins: Vec<Post> = app.table.batch_get_eventual(&keys).await?;
    let shown = origins.iter().filter(|post| !post.is_deleted && !post.is_hidden);
    let muted: HashSet<_> = shown.filter(|post| is_muted(post)).map(|post| post.id).collect();
    let shares_muted =
        |post: &Post| post.author != viewer && post.origin.is_some_and(|origin| muted.contains(&origin));
    posts.retain(|post| !is_muted(post) && !shares_muted(post));
    Ok(posts)
}
