//! The newest posts of authors whom many read at the same time: each instance reads an author's once a second, however
//! many ask, so that one partition serves all of the author's followers.

use std::sync::Arc;

use moka::sync::Cache;
use platform::{App, Result, time::Time};

use super::Post;
use crate::ids::{PostId, UserId};

const FRESH_MILLIS: i64 = 1_000;
/// A page of the usual size, for 3 units.
const REMEMBERED_POSTS: usize = 20;
const AUTHORS_MAX: u64 = 300;

/// The newest posts of an author, and when they were read. Fewer than 20 are all there are.
type Remembered = (Time, Arc<[Post]>);

/// What this instance remembers of authors. It may be a second old.
struct NewestOfAuthors(Cache<UserId, Remembered>);

impl Default for NewestOfAuthors {
    fn default() -> Self {
        Self(Cache::new(AUTHORS_MAX))
    }
}

/// Returns an author's next posts that are older than `before`, newest first; fewer than `rows` only at the end. Costs
/// nothing from memory; else 1 call and 0.5 RRU for each 4 KB.
pub(super) async fn page(
    app: &App,
    author: UserId,
    before: Option<PostId>,
    rows: usize,
) -> Result<Vec<Post>> {
    let newest = newest(app, author).await?;
    let page: Vec<_> =
        newest.iter().filter(|it| before.is_none_or(|high| it.id < high)).take(rows).cloned().collect();
    if page.len() == rows || newest.len() < REMEMBERED_POSTS {
        return Ok(page);
    }
    app.table.query(&Post::by_author(author).newest_first().before(before).limit(rows)).await
}

async fn newest(app: &App, author: UserId) -> Result<Arc<[Post]>> {
    let (remembered, now) = (app.memory.of::<NewestOfAuthors>(), app.now());
    if let Some((read_at, posts)) = remembered.0.get(&author)
        && now.millis() < read_at.millis() + FRESH_MILLIS
    {
        return Ok(posts);
    }
    let query = Post::by_author(author).newest_first().limit(REMEMBERED_POSTS);
    let posts: Arc<[Post]> = app.table.query::<Post>(&query).await?.into();
    remembered.0.insert(author, (now, Arc::clone(&posts)));
    Ok(posts)
}
