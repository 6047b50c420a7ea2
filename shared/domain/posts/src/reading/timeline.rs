//! The rows of a user's timeline.

use base::{PostId, UserId};
use platform::{App, Key, Query, Result, Row, Time};
use serde::{Deserialize, Serialize};

const KEPT_SECONDS: i64 = 30 * 24 * 60 * 60;
const SK_PREFIX: &str = "TIMELINE#";

/// A post in a user's timeline.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TimelineEntry {
    /// The owner of the timeline.
    pub reader: UserId,
    /// The post that the timeline shows.
    pub post: PostId,
    /// The time at which the entry expires, 30 days after it was written.
    pub expires: Time,
}

impl TimelineEntry {
    /// Returns an entry that expires in 30 days.
    pub fn new(app: &App, reader: UserId, post: PostId) -> Self {
        Self { reader, post, expires: app.now().plus_seconds(KEPT_SECONDS) }
    }
}

/// Returns the newest posts of a timeline that are older than `before`. Returns fewer than `rows` posts only at the end
/// of the timeline.
pub async fn newest(app: &App, reader: UserId, before: Option<PostId>, rows: usize) -> Result<Vec<PostId>> {
    let query = Query::partition(reader.partition()).prefix_before(SK_PREFIX, before);
    let query = query.newest_first().limit(rows).consistent();
    let found: Vec<TimelineEntry> = app.table.query(&query).await?;
    Ok(found.into_iter().map(|entry| entry.post).collect())
}

/// `USER#reader / TIMELINE#post`, expires after 30 days
impl Row for TimelineEntry {
    fn key(&self) -> Key {
        Key::new(self.reader.partition(), format!("{SK_PREFIX}{}", self.post))
    }

    fn expires(&self) -> Option<Time> {
        Some(self.expires)
    }
}
