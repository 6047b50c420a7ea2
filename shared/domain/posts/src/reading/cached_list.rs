//! Caches the newest posts of authors and hashtags. Each instance reads the newest posts of a list at most once a
//! second. So one partition can serve any number of readers.

use std::sync::Arc;

use base::{PostId, Topic, UserId};
use moka::sync::Cache;
use platform::{App, Query, Result, Time};

use crate::Post;

const FRESH_MILLIS: i64 = 1_000;
const LISTS_MAX: u64 = 400;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum CachedList {
    /// The posts of an author.
    Author(UserId),
    /// The posts with a hashtag.
    Topic(Topic),
}

/// The newest posts of a list, and the time at which they were read. If there are fewer than
/// [`CachedList::cached_posts`], these are all posts of the list.
type Cached = (Time, Arc<[Arc<Post>]>);

/// The cache of this instance. A cached list is used for at most a second.
struct NewestOfLists(Cache<CachedList, Cached>);

impl Default for NewestOfLists {
    fn default() -> Self {
        Self(Cache::new(LISTS_MAX))
    }
}

impl CachedList {
    fn query(&self) -> Query {
        match self {
            Self::Author(author) => Post::by_author(*author),
            Self::Topic(topic) => Post::with_topic(topic),
        }
    }

    /// Returns the maximum number of cached posts. The maximum is higher for hashtags, because some posts with a
    /// hashtag may be hidden.
    fn cached_posts(&self) -> usize {
        match self {
            Self::Author(_) => 20,
            Self::Topic(_) => 25,
        }
    }

    /// Returns whether the list shows a post. Assumes that the post is in the list's index partition.
    pub(crate) fn shows(&self, post: &Post) -> bool {
        match self {
            Self::Author(_) => true,
            Self::Topic(_) => post.is_in_topic(),
        }
    }
}

/// Returns the newest posts of a list that are older than `before`. Returns fewer than `rows` posts only at the end of
/// the list.
pub(crate) async fn page(
    app: &App,
    list: &CachedList,
    before: Option<PostId>,
    rows: usize,
) -> Result<Vec<Arc<Post>>> {
    let newest = newest(app, list).await?;
    let page: Vec<_> =
        newest.iter().filter(|post| before.is_none_or(|high| post.id < high)).take(rows).cloned().collect();
    if page.len() == rows || newest.len() < list.cached_posts() {
        return Ok(page);
    }
    read(app, list.query().newest_first().before(before).limit(rows)).await
}

/// Returns the IDs of the 20 newest posts, quotes and reposts of an author.
pub async fn newest_of_author(app: &App, author: UserId) -> Result<Vec<PostId>> {
    Ok(newest(app, &CachedList::Author(author)).await?.iter().map(|post| post.id).collect())
}

/// Removes a list from the cache, so that a viewer who has just written a post sees the post.
pub(crate) fn invalidate(app: &App, list: &CachedList) {
    app.memory.of::<NewestOfLists>().0.invalidate(list);
}

async fn newest(app: &App, list: &CachedList) -> Result<Arc<[Arc<Post>]>> {
    let (cache, now) = (app.memory.of::<NewestOfLists>(), app.now());
    if let Some((read_at, posts)) = cache.0.get(list)
        && now.millis() < read_at.millis() + FRESH_MILLIS
    {
        return Ok(posts);
    }
    let query = list.query().newest_first().limit(list.cached_posts());
    let posts: Arc<[_]> = read(app, query).await?.into();
    cache.0.insert(list.clone(), (now, Arc::clone(&posts)));
    Ok(posts)
}

async fn read(app: &App, query: Query) -> Result<Vec<Arc<Post>>> {
    Ok(app.table.query::<Post>(&query).await?.into_iter().map(Arc::new).collect())
}
