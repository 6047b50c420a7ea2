//! Posts that have a word which their reader mutes.

use std::collections::HashSet;

use base::ids::UserId;
use people::mutes::Mutes;
use platform::{App, Result};

use crate::{Post, key};

/// Returns those posts that have none of the words that a viewer mutes, neither in their own text nor in their
/// original's; the viewer's own always.
pub(crate) async fn without_muted_words(
    app: &App,
    viewer: UserId,
    mutes: Option<&Mutes>,
    mut posts: Vec<Post>,
) -> Result<Vec<Post>> {
    let Some(words) = mutes.and_then(Mutes::word_filter) else { return Ok(posts) };
    let is_muted = |it: &Post| it.author != viewer && words.hides(&it.words());
    let shared = posts.iter().filter(|it| it.author != viewer).filter_map(|it| it.origin);
    let shared: HashSet<_> = shared.collect();
    let keys: Vec<_> = shared.into_iter().map(key).collect();
    let origins: Vec<Post> = app.table.batch_get_eventual(&keys).await?;
    let shown = origins.iter().filter(|it| !it.is_deleted && !it.is_hidden);
    let muted: HashSet<_> = shown.filter(|it| is_muted(it)).map(|it| it.id).collect();
    let shares_muted = |it: &Post| it.author != viewer && it.origin.is_some_and(|it| muted.contains(&it));
    posts.retain(|it| !is_muted(it) && !shares_muted(it));
    Ok(posts)
}
