//! Finding hashtags by their beginning, with the number of posts that have them.

use platform::{
    App, Result,
    page::{Cursor, Page},
    table::{Key, Query, Row, Write},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::terms::{Terms, fold};
use crate::posts::Topic;

/// The number of queries after which a search ends, though its page is not full.
const ROUNDS_MAX: usize = 10;

/// A hashtag and its number of posts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Hashtag {
    /// The hashtag, and its cursor.
    pub name: Topic,
    /// The number of public posts that have it.
    pub count: i64,
}

/// Returns the hashtags that begin with the terms, in alphabetical order. Costs 1 call and 0.5 RRU for each
/// 4 KB.
pub async fn find_hashtags(app: &App, terms: &Terms, cursor: Cursor<Topic>) -> Result<Page<Hashtag>> {
    let (prefix, wanted) = (terms.prefix(), cursor.take.rows() + 1);
    let mut last = cursor.after;
    let mut found = Vec::with_capacity(wanted);
    for _ in 0..ROUNDS_MAX {
        let rows = wanted - found.len();
        let tags = with_prefix(app, &prefix, last.as_ref(), rows).await?;
        let ended = tags.len() < rows;
        last = tags.last().map(|it| it.name.clone()).or(last);
        found.extend(tags.into_iter().filter(|it| it.count > 0));
        if ended || found.len() >= wanted {
            break;
        }
    }
    Ok(Page::cut(found, cursor.take, |it| it.name.as_str().to_owned()))
}

async fn with_prefix(app: &App, prefix: &str, after: Option<&Topic>, rows: usize) -> Result<Vec<Hashtag>> {
    if prefix.is_empty() {
        return Ok(Vec::new());
    }
    let low = after.map_or_else(|| prefix.to_owned(), |it| key(it).sk);
    let query = Query::partition(partition(prefix)).between(low, format!("{prefix}{}", char::MAX));
    let mut tags: Vec<Hashtag> = app.table.query(&query.limit(rows + 1)).await?;
    tags.retain(|it| Some(&it.name) != after);
    tags.truncate(rows);
    Ok(tags)
}

/// Returns the write that changes the count of a hashtag.
pub(super) fn count_write(tag: &Topic, by: i64) -> Write {
    Write::update(key(tag)).set("name", tag).add("count", by)
}

fn key(tag: &Topic) -> Key {
    let folded = fold(tag.as_str());
    Key::new(partition(&folded), format!("{folded}#{}", tag.as_str()))
}

fn partition(folded: &str) -> String {
    format!("HASHTAGS#{}", folded.chars().next().map(String::from).unwrap_or_default())
}

/// `HASHTAGS#first character / folded tag#tag`
impl Row for Hashtag {
    fn key(&self) -> Key {
        key(&self.name)
    }
}
