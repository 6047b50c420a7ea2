//! Posts that are merged into a feed when it is read: by popular authors, from before a follow, and with followed
//! hashtags.

use base::{Position, PostId, Topic, UserId, packed};
use platform::{App, Index, Key, Query, Result, Row, Time};
use serde::{Deserialize, Serialize};

use super::{follow::merged_partition, topics::FollowedTopic};

/// Lifetime of a [`Joined`] row. Timeline entries have the same lifetime.
const KEPT_SECONDS: i64 = 30 * 24 * 60 * 60;
/// Maximum number of rows that [`merged_by`] reads.
const MERGED_MAX: usize = 200;

/// An author's posts from before the reader followed the author. Later posts are in the reader's timeline.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Joined {
    /// The reader.
    pub follower_id: UserId,
    /// The author.
    pub following_id: UserId,
    /// The position of the follow.
    pub position: Position,
    /// The author's posts, newest first.
    #[serde(with = "packed")]
    pub posts: Vec<PostId>,
    /// The time at which the row expires.
    pub expires: Time,
}

/// The sources of posts that are merged into a reader's feed.
#[derive(Debug, Default)]
pub struct Merged {
    /// Popular authors, newest follow first.
    pub authors: Vec<UserId>,
    /// Posts that are older than the reader's follow of their author.
    pub posts: Vec<PostId>,
    /// The hashtags that the reader follows.
    pub topics: Vec<Topic>,
}

/// A row with a source of posts: the follow of a popular author, a [`Joined`], or the reader's hashtags.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct MergedRow {
    pk: String,
    sk: String,
    /// The author, or `None` if this is the row of hashtags.
    following_id: Option<UserId>,
    #[serde(with = "packed", default)]
    posts: Vec<PostId>,
    #[serde(default)]
    topics: Vec<FollowedTopic>,
}

impl Joined {
    /// Returns a row with an author's posts from before a follow. The row expires after 30 days.
    pub fn new(app: &App, [reader, author]: [UserId; 2], position: Position, posts: Vec<PostId>) -> Self {
        let expires = app.now().plus_seconds(KEPT_SECONDS);
        Self { follower_id: reader, following_id: author, position, posts, expires }
    }
}

/// Returns the authors, posts and hashtags that are merged into a reader's feed. Reads at most 200 rows.
pub async fn merged_by(app: &App, reader: UserId) -> Result<Merged> {
    let query = Query::index(Index::Gsi3, merged_partition(reader)).newest_first().limit(MERGED_MAX);
    let mut merged = Merged::default();
    for row in app.table.query::<MergedRow>(&query).await? {
        merged.authors.extend(row.following_id.filter(|_| row.posts.is_empty()));
        merged.posts.extend(row.posts);
        merged.topics.extend(row.topics.into_iter().map(|topic| topic.name));
    }
    Ok(merged)
}

pub(super) fn joined_key(reader: UserId, author: UserId) -> Key {
    Key::new(reader.partition(), format!("JOINED#{author}"))
}

/// `USER#u / JOINED#target`, gsi3 `MERGES#u / 0#position`, expires after 30 days. Feeds read the index in descending
/// order, so the prefix `0#` places this row after all follows of popular authors.
impl Row for Joined {
    fn key(&self) -> Key {
        joined_key(self.follower_id, self.following_id)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        let key = Key::new(merged_partition(self.follower_id), format!("0#{}", self.position));
        vec![(Index::Gsi3, key)]
    }

    fn expires(&self) -> Option<Time> {
        Some(self.expires)
    }
}

impl Row for MergedRow {
    fn key(&self) -> Key {
        Key::new(&self.pk, &self.sk)
    }
}
