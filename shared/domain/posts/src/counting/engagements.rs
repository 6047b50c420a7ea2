//! Engagements. One row stores the like, quotes, repost and save of one post by one user.
//!
//! The row is in the user's partition, so that a viral post does not create a hot partition.

use std::collections::HashMap;

use base::{EventId, Position, PostId, UserId};
use platform::{App, Index, Key, Query, Result, Row, Time, Write};
use serde::{Deserialize, Serialize};

/// Maximum number of rows that [`of_page`] reads as a range. Further engagements are cheaper to read by key.
const PAGE_MAX_ROWS: usize = 50;

/// The prefix of an engagement's sort key.
pub const SK_PREFIX: &str = "ENGAGED#";

/// A user's engagement with a post.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Engagement {
    /// The user who engaged.
    pub user: UserId,
    /// The post with which the user engaged.
    pub post: PostId,
    /// Whether the user likes the post.
    #[serde(default)]
    pub liked: bool,
    /// The time of the last like. Kept after an unlike.
    pub liked_at: Option<Time>,
    /// Whether the post's like count includes the like. See [`crate::counting::likes`].
    #[serde(default)]
    pub counted: bool,
    /// The position in the post's list of likers. `None` if no like by this user was counted yet. Kept after an unlike.
    pub place: Option<Position>,
    /// The value of the post's `likesSeq` when a batch last changed `counted`.
    #[serde(default)]
    pub seq: i64,
    /// Whether the post's author was ever notified of a like by this user.
    #[serde(default)]
    pub author_notified: bool,
    /// The notification event of the current like. An unlike withdraws this event. `None` if the author was not
    /// notified of the like.
    pub notified_as: Option<EventId>,
    /// The number of the user's existing quotes of the post.
    #[serde(default)]
    pub quotes: i64,
    /// The user's repost of the post, if one exists.
    pub repost: Option<PostId>,
    /// The user's last deleted repost of the post. It keeps the user's position in the list of reposts, so that a cursor
    /// with the user's ID stays valid.
    pub deleted_repost: Option<PostId>,
    /// Whether the post's author was notified of a repost by this user.
    #[serde(default)]
    pub repost_notified: bool,
    /// Whether the user saved the post.
    #[serde(default)]
    pub saved: bool,
    /// The position in the user's list of saved posts. Kept after an unsave.
    pub saved_at: Option<Position>,
    /// Time of the latest like or unlike that is not applied yet, or `None`.
    pub uncounted_since: Option<Time>,
}

/// Returns an update of an engagement. The update creates the row if necessary.
pub fn update_write(user: UserId, post: PostId) -> Write {
    Write::update(key(user, post)).set("user", user).set("post", post)
}

/// Returns a user's engagement with a post, or `None` if there is none.
pub async fn find(app: &App, user: UserId, post: PostId) -> Result<Option<Engagement>> {
    app.table.get(&key(user, post)).await
}

/// Returns the viewer's engagements with `posts`. Reads by key, which suits a few posts of any age.
pub async fn of_posts(
    app: &App,
    viewer: Option<UserId>,
    posts: &[PostId],
) -> Result<HashMap<PostId, Engagement>> {
    let keys: Vec<_> = posts.iter().filter_map(|post| Some(key(viewer?, *post))).collect();
    Ok(by_post(app.table.batch_get(&keys).await?))
}

/// Returns the viewer's engagements with the posts of a page. Reads one range of IDs, which suits posts of similar age.
/// If the range has more than 50 rows, reads the remaining engagements by key.
pub async fn of_page(
    app: &App,
    viewer: Option<UserId>,
    posts: &[PostId],
) -> Result<HashMap<PostId, Engagement>> {
    let (Some(viewer), Some(low), Some(high)) = (viewer, posts.iter().min(), posts.iter().max()) else {
        return Ok(HashMap::new());
    };
    let page = Query::partition(viewer.partition()).between(sk(*low), sk(*high));
    let rows: Vec<Engagement> = app.table.query(&page.consistent().limit(PAGE_MAX_ROWS)).await?;
    let last = rows.last().map(|engagement| engagement.post).filter(|_| rows.len() == PAGE_MAX_ROWS);
    let mut engagements = by_post(rows);
    if let Some(last) = last {
        let beyond: Vec<_> = posts.iter().copied().filter(|post| *post > last).collect();
        engagements.extend(of_posts(app, Some(viewer), &beyond).await?);
    }
    Ok(engagements)
}

/// Returns the liked posts among the newest `rows` posts that a user engaged with.
pub async fn newest_liked(app: &App, user: UserId, rows: usize) -> Result<Vec<PostId>> {
    let newest = Query::partition(user.partition()).prefix(SK_PREFIX).newest_first().limit(rows);
    let found: Vec<Engagement> = app.table.query(&newest).await?;
    Ok(found.into_iter().filter(|engagement| engagement.liked).map(|engagement| engagement.post).collect())
}

fn by_post(rows: Vec<Engagement>) -> HashMap<PostId, Engagement> {
    rows.into_iter().map(|row| (row.post, row)).collect()
}

/// Returns the engagements of `people` with a post. The read is eventually consistent.
pub(crate) async fn of_people(app: &App, people: &[UserId], post: PostId) -> Result<Vec<Engagement>> {
    let keys: Vec<_> = people.iter().map(|user| key(*user, post)).collect();
    app.table.batch_get_eventual(&keys).await
}

pub(crate) fn saved_by(user: UserId) -> Query {
    Query::index(Index::Gsi1, saved_partition(user))
}

pub(crate) fn saved_key(user: UserId, at: Position) -> Key {
    Key::new(saved_partition(user), at.to_string())
}

fn saved_partition(user: UserId) -> String {
    format!("SAVED#{user}")
}

/// Returns an update that records a like or unlike that is not applied yet.
pub(crate) fn uncounted_write(user: UserId, post: PostId, now: Time) -> Write {
    update_write(user, post).set("uncountedSince", now)
}

/// Returns an update that marks the like or vote at `key` as applied, and clears its outbox.
pub(crate) fn applied_write(key: Key) -> Write {
    Write::update(key).remove("uncountedSince").clear_outbox()
}

/// Returns the key of an engagement's row.
pub fn key(user: UserId, post: PostId) -> Key {
    Key::new(user.partition(), sk(post))
}

fn sk(post: PostId) -> String {
    format!("{SK_PREFIX}{post}")
}

/// `USER#user / ENGAGED#post`. If saved, gsi1 `SAVED#user / position`
impl Row for Engagement {
    fn key(&self) -> Key {
        key(self.user, self.post)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        let saved = self.saved_at.filter(|_| self.saved);
        saved.map(|at| (Index::Gsi1, saved_key(self.user, at))).into_iter().collect()
    }
}
