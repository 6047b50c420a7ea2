//! The newest posts of lists that many read at the same time, an author's or a hashtag's: each instance reads a list once a
//! second, however many ask, so that one partition serves all who follow it.

use std::sync::Arc;

use base::{
    ids::{PostId, UserId},
    topic::Topic,
};
use moka::sync::Cache;
use platform::{App, Result, table::Query, time::Time};

use crate::Post;

const FRESH_MILLIS: i64 = 1_000;
const LISTS_MAX: u64 = 400;

/// A list of posts that many read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum OftenRead {
    /// The posts of an author.
    Author(UserId),
    /// The posts with a hashtag.
    Topic(Topic),
}

/// The newest posts of a list, and when they were read. Fewer than the list remembers are all there are.
type Remembered = (Time, Arc<[Arc<Post>]>);

/// What this instance remembers of lists. It may be a second old.
struct NewestOfLists(Cache<OftenRead, Remembered>);

impl Default for NewestOfLists {
    fn default() -> Self {
        Self(Cache::new(LISTS_MAX))
    }
}

impl OftenRead {
    fn query(&self) -> Query {
        match self {
            Self::Author(author) => Post::by_author(*author),
            Self::Topic(topic) => Post::with_topic(topic),
        }
    }

    /// An author is merged with others, for 3 units; a hashtag's page of the usual size needs one row more, and spare ones.
    fn remembered_posts(&self) -> usize {
        match self {
            Self::Author(_) => 20,
            Self::Topic(_) => 25,
        }
    }

    /// Whether the list shows a post that its index has.
    pub(crate) fn shows(&self, post: &Post) -> bool {
        match self {
            Self::Author(_) => true,
            Self::Topic(_) => post.is_in_topic(),
        }
    }
}

/// Returns a list's next posts that are older than `before`, newest first; fewer than `rows` only at the end.
pub(crate) async fn page(
    app: &App,
    list: &OftenRead,
    before: Option<PostId>,
    rows: usize,
) -> Result<Vec<Arc<Post>>> {
    let newest = newest(app, list).await?;
    let page: Vec<_> =
        newest.iter().filter(|post| before.is_none_or(|high| post.id < high)).take(rows).cloned().collect();
    if page.len() == rows || newest.len() < list.remembered_posts() {
        return Ok(page);
    }
    read(app, list.query().newest_first().before(before).limit(rows)).await
}

/// Returns an author's newest 20 posts, quotes and reposts.
pub async fn newest_of_author(app: &App, author: UserId) -> Result<Vec<PostId>> {
    Ok(newest(app, &OftenRead::Author(author)).await?.iter().map(|it| it.id).collect())
}

/// Has a list read anew, for somebody who has just written.
pub(crate) fn invalidate(app: &App, list: &OftenRead) {
    app.memory.of::<NewestOfLists>().0.invalidate(list);
}

async fn newest(app: &App, list: &OftenRead) -> Result<Arc<[Arc<Post>]>> {
    let (remembered, now) = (app.memory.of::<NewestOfLists>(), app.now());
    if let Some((read_at, posts)) = remembered.0.get(list)
        && now.millis() < read_at.millis() + FRESH_MILLIS
    {
        return Ok(posts);
    }
    let query = list.query().newest_first().limit(list.remembered_posts());
    let posts: Arc<[_]> = read(app, query).await?.into();
    remembered.0.insert(list.clone(), (now, Arc::clone(&posts)));
    Ok(posts)
}

async fn read(app: &App, query: Query) -> Result<Vec<Arc<Post>>> {
    Ok(app.table.query::<Post>(&query).await?.into_iter().map(Arc::new).collect())
}
