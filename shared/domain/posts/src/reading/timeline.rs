//! A row of a user's timeline.

use base::ids::{PostId, UserId};
use platform::{
    App,
    error::Result,
    table::{Key, Query, Row, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};

use crate::Post;

const KEPT_SECONDS: i64 = 30 * 24 * 60 * 60;
const SK_PREFIX: &str = "TIMELINE#";

/// A post in a user's timeline. It holds only ids: readers read the post itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TimelineEntry {
    /// The user whose timeline it is.
    pub reader: UserId,
    /// The post.
    pub post: PostId,
    /// The time at which the row expires.
    pub expires: Time,
}

impl TimelineEntry {
    /// Puts the post in the reader's timeline, for 30 days.
    pub fn new(app: &App, reader: UserId, post: PostId) -> Self {
        Self { reader, post, expires: app.now().plus_seconds(KEPT_SECONDS) }
    }
}

/// Returns the write that puts a post in its author's own timeline.
pub(crate) fn own_write(app: &App, post: &Post) -> Write {
    Write::put(&TimelineEntry::new(app, post.author, post.id))
}

/// Returns the next posts of a timeline that are older than `before`, newest first; fewer than `rows` only at its end.
pub async fn newest(app: &App, reader: UserId, before: Option<PostId>, rows: usize) -> Result<Vec<PostId>> {
    let high = before.map_or_else(|| format!("{SK_PREFIX}~"), sk);
    let query = Query::partition(reader.partition()).between(SK_PREFIX, high).newest_first();
    // BETWEEN includes its ends: the row of the cursor is read too, and left out.
    let mut found: Vec<TimelineEntry> = app.table.query(&query.limit(rows + 1).consistent()).await?;
    found.retain(|entry| Some(entry.post) != before);
    found.truncate(rows);
    Ok(found.into_iter().map(|it| it.post).collect())
}

fn sk(post: PostId) -> String {
    format!("{SK_PREFIX}{post}")
}

/// `USER#reader / TIMELINE#post`, swept after 30 days
impl Row for TimelineEntry {
    fn key(&self) -> Key {
        Key::new(self.reader.partition(), sk(self.post))
    }

    fn expires(&self) -> Option<Time> {
        Some(self.expires)
    }
}
