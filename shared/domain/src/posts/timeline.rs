//! A row of somebody's timeline.

use platform::{
    App,
    error::Result,
    table::{Key, Query, Row, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};

use crate::{
    ids::{PostId, UserId},
    posts::Post,
};

const KEPT_SECONDS: i64 = 30 * 24 * 60 * 60;

/// That a post is in somebody's timeline. The post itself is read by its key, as it is then.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TimelineEntry {
    /// Who finds it.
    pub reader: UserId,
    /// What they find.
    pub post: PostId,
    /// When it is swept.
    pub expires: Time,
}

impl TimelineEntry {
    /// The post in the reader's timeline, for 30 days.
    pub(crate) fn new(app: &App, reader: UserId, post: PostId) -> Self {
        Self { reader, post, expires: app.now().plus_seconds(KEPT_SECONDS) }
    }
}

/// The post in its author's own timeline, for the transaction that writes it. 1 WRU.
pub fn own(app: &App, post: &Post) -> Write {
    Write::put(&TimelineEntry::new(app, post.author, post.id))
}

/// The next so many posts of somebody's timeline before this one, newest first; fewer only at its
/// end. 1 call, 1 RRU for each 4 KB.
///
/// # Errors
/// Internal only.
pub async fn newest(app: &App, reader: UserId, before: Option<PostId>, rows: usize) -> Result<Vec<PostId>> {
    let high = before.map_or_else(|| "TIMELINE#~".to_owned(), sk);
    let query = Query::partition(format!("USER#{reader}")).between("TIMELINE#", high).newest_first();
    // BETWEEN includes its ends: the row of the cursor is read too, and left out.
    let mut found: Vec<TimelineEntry> = app.table.query(&query.limit(rows + 1).consistent()).await?;
    found.retain(|it| Some(it.post) != before);
    found.truncate(rows);
    Ok(found.into_iter().map(|it| it.post).collect())
}

fn sk(post: PostId) -> String {
    format!("TIMELINE#{post}")
}

/// `USER#reader / TIMELINE#post`, swept after 30 days
impl Row for TimelineEntry {
    fn key(&self) -> Key {
        Key::new(format!("USER#{}", self.reader), sk(self.post))
    }

    fn expires(&self) -> Option<Time> {
        Some(self.expires)
    }
}
