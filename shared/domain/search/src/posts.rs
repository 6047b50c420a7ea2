//! Finds posts that contain all words of a search, newest first.

use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet},
};

use base::{PostId, UserId};
use people::ViewContext;
use platform::{App, Cursor, Page, Result, Row};
use posts::{Post, PostView, Reader, Visibility, readable, view_page};

use super::{
    indexing::{PostWord, with_word, word_key},
    terms::Terms,
};

/// Maximum number of words that a search looks up in the index. Further words are only compared with the texts of the
/// posts found.
const WORDS_MAX: usize = 4;
/// Number of posts with the first word in a batch, if the search has several words.
const BATCH_CANDIDATES: usize = 100;
/// Maximum number of batches that are read for one page. If these batches do not fill the page, the page has fewer
/// posts.
const BATCHES_MAX: usize = 10;

/// Returns a page of posts that contain all words and that the viewer may read. If `ENFORCE_VISIBILITY` is off, finds
/// only public posts and the viewer's own posts.
pub async fn find_posts(
    app: &App,
    viewer: UserId,
    terms: &Terms,
    cursor: Cursor<PostId>,
) -> Result<Page<PostView>> {
    let mut keys = terms.keys();
    // The longest word comes first, because a long word is likely to be rare.
    keys.sort_by_key(|key| Reverse(key.chars().count()));
    let Some((first, others)) = keys.split_first() else {
        return Ok(Page { rows: Vec::new(), after: None });
    };
    let wanted = cursor.take.rows() + 1;
    let (mut found, mut last, mut ended) = (Vec::with_capacity(wanted), cursor.after, false);
    let batch = if others.is_empty() { wanted } else { BATCH_CANDIDATES };
    for _ in 0..BATCHES_MAX {
        let query = with_word(first).newest_first().before(last).limit(batch);
        let rows: Vec<PostWord> = app.table.query(&query).await?;
        let candidates = with_words(app, rows.iter().map(|row| row.post).collect(), others).await?;
        for chunk in candidates.chunks(wanted) {
            if found.len() < wanted {
                found.extend(still_matching(app, viewer, chunk, terms).await?);
            }
        }
        last = rows.last().map(|row| row.post).or(last);
        ended = rows.len() < batch;
        if ended || found.len() >= wanted {
            break;
        }
    }
    let stopped = last.filter(|_| !ended).map(|post| post.to_string());
    let page = Page::cut_or_stopped(found, cursor.take, |post: &Post| post.id.to_string(), stopped);
    view_page(app, Some(viewer), page).await
}

/// Returns the posts in `candidates` that also contain the first 3 words of `others`, in the same order.
async fn with_words(app: &App, mut candidates: Vec<PostId>, others: &[String]) -> Result<Vec<PostId>> {
    for word in others.iter().take(WORDS_MAX - 1) {
        let keys: Vec<_> = candidates.iter().map(|post| word_key(word, *post)).collect();
        let rows: Vec<PostWord> = app.table.batch_get_eventual(&keys).await?;
        let matching: HashSet<_> = rows.into_iter().map(|row| row.post).collect();
        candidates.retain(|post| matching.contains(post));
    }
    Ok(candidates)
}

/// Returns the posts that are still listed, contain the words, and are visible to the viewer.
async fn still_matching(app: &App, viewer: UserId, ids: &[PostId], terms: &Terms) -> Result<Vec<Post>> {
    let keys: Vec<_> = ids.iter().map(|id| posts::key(*id)).collect();
    let found: Vec<Post> = app.table.batch_get(&keys).await?;
    let mut found: HashMap<_, _> = found.into_iter().map(|post| (post.key(), post)).collect();
    let in_order = keys.iter().filter_map(|key| found.remove(key));
    let matching = in_order
        .filter(|post| {
            post.is_listed()
                && is_searchable_by(app, viewer, post)
                && terms.finds(post.content.as_ref().map_or("", |content| content.as_str()))
        })
        .collect();
    let readable = readable(app, Some(viewer), matching).await?;
    posts::visible_to(app, &Reader::new(Some(viewer), ViewContext::Thread), readable).await
}

/// Returns whether a search by the viewer may return a post. If `ENFORCE_VISIBILITY` is off, searches return only
/// public posts and the viewer's own posts. But the viewer can then read any post by its ID.
fn is_searchable_by(app: &App, viewer: UserId, post: &Post) -> bool {
    *app.settings.enforce_visibility || post.visibility == Visibility::Public || post.author == viewer
}
