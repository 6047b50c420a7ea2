//! Posts that have all the words somebody looks for, newest first.

use std::collections::{HashMap, HashSet};

use platform::{
    App, Result,
    page::{Cursor, Page},
    table::{Query, Row},
};

use super::{
    indexing::{Word, word_key},
    words::{Terms, words},
};
use crate::{
    ids::{PostId, UserId},
    people::relationships::Surface,
    posts::{self, Post, PostView, Visibility, readable, views},
};

/// Words that a search looks for; further ones are only compared with what was found.
const WORDS_MAX: usize = 4;
const ROWS_A_ROUND: usize = 100;
/// How far a search goes: the newest 1,000 posts with its rarest-looking word.
const ROUNDS_MAX: usize = 10;

/// Public posts with all the words, and the viewer's own. At a page of 20 of 1 KB, one word: 4
/// calls, 5 with posts of others, 23 RRU; each further word 1 call and 0.5 RRU a candidate.
///
/// # Errors
/// Internal only.
pub async fn find_posts(
    app: &App,
    viewer: UserId,
    terms: &Terms,
    cursor: Cursor<PostId>,
) -> Result<Page<PostView>> {
    let mut looked_for = terms.words();
    // A long word is likely to be a rare one.
    looked_for.sort_by_key(|it| std::cmp::Reverse(it.chars().count()));
    let wanted = cursor.take.rows() + 1;
    let (mut found, mut last) = (Vec::with_capacity(wanted), cursor.after);
    let Some((first, others)) = looked_for.split_first() else {
        return Ok(Page { rows: Vec::new(), after: None });
    };
    let batch = if others.is_empty() { wanted } else { ROWS_A_ROUND };
    for _ in 0..ROUNDS_MAX {
        let query = Query::partition(format!("WORD#{first}")).newest_first().before(last).limit(batch);
        let rows: Vec<Word> = app.table.query(&query).await?;
        let candidates = having(app, rows.iter().map(|it| it.post).collect(), others).await?;
        for chunk in candidates.chunks(wanted) {
            if found.len() < wanted {
                found.extend(still_there(app, viewer, chunk, &looked_for).await?);
            }
        }
        last = rows.last().map(|it| it.post).or(last);
        if rows.len() < batch || found.len() >= wanted {
            break;
        }
    }
    let Page { rows, after } = Page::cut(found, cursor.take, |it: &Post| it.id.to_string());
    Ok(Page { rows: views(app, Some(viewer), rows).await?, after })
}

/// Those of the candidates that have the other words too, in the same order.
async fn having(app: &App, mut candidates: Vec<PostId>, others: &[String]) -> Result<Vec<PostId>> {
    for word in others.iter().take(WORDS_MAX - 1) {
        let keys: Vec<_> = candidates.iter().map(|it| word_key(word, *it)).collect();
        let rows: Vec<Word> = app.table.batch_get_eventual(&keys).await?;
        let having: HashSet<_> = rows.into_iter().map(|it| it.post).collect();
        candidates.retain(|it| having.contains(it));
    }
    Ok(candidates)
}

/// Those posts that are listed, may be read, and say the words, as they are now.
async fn still_there(app: &App, viewer: UserId, ids: &[PostId], looked_for: &[String]) -> Result<Vec<Post>> {
    let keys: Vec<_> = ids.iter().map(|it| posts::key(*it)).collect();
    let found: Vec<Post> = app.table.batch_get(&keys).await?;
    let mut found: HashMap<_, _> = found.into_iter().map(|it| (it.key(), it)).collect();
    let in_order = keys.iter().filter_map(|key| found.remove(key));
    let shown = in_order.filter(|it| it.is_listed() && is_open_to(app, viewer, it) && says(it, looked_for));
    let readable = readable(app, Some(viewer), shown.collect()).await?;
    posts::visible_to(app, Some(viewer), readable, Surface::Thread).await
}

/// A search never shows strangers what is not public, though a read by id may.
fn is_open_to(app: &App, viewer: UserId, post: &Post) -> bool {
    *app.settings.enforce_visibility || post.visibility == Visibility::Public || post.author == viewer
}

fn says(post: &Post, looked_for: &[String]) -> bool {
    let content = post.content.as_ref().map(|it| it.as_str()).unwrap_or_default();
    let words: HashSet<_> = words(content, usize::MAX).into_iter().collect();
    looked_for.iter().all(|it| words.contains(it))
}
