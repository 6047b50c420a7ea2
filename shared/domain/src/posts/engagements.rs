//! What one person did with one post: liked it, quoted it, reposted it, saved it. One row, so one
//! read tells a viewer all of it, and it lies with the person, so a viral post has no hot partition.

use std::collections::HashMap;

use platform::{
    App, Result,
    table::{Index, Key, Query, Row, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};

use crate::ids::{Position, PostId, UserId};

/// A page's own engagements lie between its lowest and highest post; of what else lies there, at
/// most so many rows are read.
const PAGE_MAX_ROWS: usize = 200;

/// A person's engagement with a post. Missing is the same as none.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Engagement {
    /// Who.
    pub user: UserId,
    /// With which post.
    pub post: PostId,
    /// Whether they like it.
    #[serde(default)]
    pub liked: bool,
    /// When they last began to.
    pub liked_at: Option<Time>,
    /// Whether the post's count includes their like. See [`crate::posts::likes`].
    #[serde(default)]
    pub counted: bool,
    /// The settling of the post's likes in which `counted` last changed.
    #[serde(default)]
    pub seq: i64,
    /// Whether the post's author was told of their like; once is enough.
    #[serde(default)]
    pub told: bool,
    /// Quotes of theirs that exist.
    #[serde(default)]
    pub quotes: i64,
    /// Their repost, if one exists.
    pub repost: Option<PostId>,
    /// Whether they saved it.
    #[serde(default)]
    pub saved: bool,
    /// Where it stands, or last stood, among what they saved.
    pub saved_at: Option<Position>,
}

/// An update of the engagement, which is made when it is not there.
pub fn update(user: UserId, post: PostId) -> Write {
    Write::update(key(user, post)).set("user", user).set("post", post)
}

/// The engagement with one post. 1 call, 1 RRU.
///
/// # Errors
/// Internal only.
pub async fn find(app: &App, user: UserId, post: PostId) -> Result<Option<Engagement>> {
    app.table.get(&key(user, post)).await
}

/// The engagements with these posts. 1 call for each 100, 1 RRU each: for a few far apart.
///
/// # Errors
/// Internal only.
pub async fn find_all(app: &App, pairs: &[(UserId, PostId)]) -> Result<Vec<Engagement>> {
    let keys: Vec<_> = pairs.iter().map(|(user, post)| key(*user, *post)).collect();
    app.table.batch_get(&keys).await
}

/// The engagements with the posts of a page. 1 call and 1 RRU for each 4 KB of the user's rows
/// between the page's ends, where a feed's posts lie close; what lies beyond 200 rows is read by key.
///
/// # Errors
/// Internal only.
pub async fn of_page(app: &App, user: UserId, posts: &[PostId]) -> Result<HashMap<PostId, Engagement>> {
    let (Some(low), Some(high)) = (posts.iter().min(), posts.iter().max()) else {
        return Ok(HashMap::new());
    };
    let page = Query::partition(format!("USER#{user}")).between(sk(*low), sk(*high));
    let mut rows: Vec<Engagement> = app.table.query(&page.consistent().limit(PAGE_MAX_ROWS)).await?;
    if let (PAGE_MAX_ROWS, Some(last)) = (rows.len(), rows.last().map(|it| it.post)) {
        let beyond = posts.iter().filter(|it| **it > last);
        let pairs: Vec<_> = beyond.map(|post| (user, *post)).collect();
        rows.extend(find_all(app, &pairs).await?);
    }
    Ok(rows.into_iter().map(|it| (it.post, it)).collect())
}

/// Where an engagement's row is.
pub fn key(user: UserId, post: PostId) -> Key {
    Key::new(format!("USER#{user}"), sk(post))
}

fn sk(post: PostId) -> String {
    format!("ENGAGED#{post}")
}

/// Where a saved post stands in its list.
pub fn saved_place(user: UserId, at: Position) -> Key {
    Key::new(format!("SAVED#{user}"), at.to_string())
}

/// `USER#u / ENGAGED#post`; while it is saved: gsi1 `SAVED#u / position`
impl Row for Engagement {
    fn key(&self) -> Key {
        key(self.user, self.post)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        let saved = self.saved_at.filter(|_| self.saved);
        saved.map(|at| (Index::Gsi1, saved_place(self.user, at))).into_iter().collect()
    }
}
