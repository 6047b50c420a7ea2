//! Finds hashtags by prefix. Each result contains the number of posts with the hashtag.

use base::Topic;
use platform::{App, Cursor, FillingPage, Key, Page, Query, Result, Row, Write, text::fold};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::terms::Terms;

/// A hashtag and its number of posts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Hashtag {
    /// The hashtag, which is also its cursor in the list.
    pub name: Topic,
    /// The number of public posts with the hashtag.
    pub count: i64,
}

/// Returns a page of the hashtags that start with the terms, in alphabetical order.
pub async fn find_hashtags(app: &App, terms: &Terms, cursor: Cursor<Topic>) -> Result<Page<Hashtag>> {
    let (prefix, mut page) = (terms.prefix(), FillingPage::new(cursor));
    while let Some(Cursor { take, after }) = page.to_read() {
        let tags = with_prefix(app, &prefix, after.as_ref(), take.rows() + 1).await?;
        let (last, read) = (tags.last().map(|tag| tag.name.clone()), tags.len());
        page.add(tags.into_iter().filter(|tag| tag.count > 0), last, read);
    }
    Ok(page.page(|tag| tag.name.to_string()))
}

async fn with_prefix(app: &App, prefix: &str, after: Option<&Topic>, rows: usize) -> Result<Vec<Hashtag>> {
    if prefix.is_empty() {
        return Ok(Vec::new());
    }
    let low = after.map(|tag| key(tag).sk).unwrap_or_default().max(prefix.to_owned());
    let query = Query::partition(partition(prefix)).between(low, format!("{prefix}{}", char::MAX));
    let mut tags: Vec<Hashtag> = app.table.query(&query.limit(rows + 1)).await?;
    tags.retain(|tag| Some(&tag.name) != after);
    tags.truncate(rows);
    Ok(tags)
}

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
