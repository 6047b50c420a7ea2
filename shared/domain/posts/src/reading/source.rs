//! Sources of posts for lists.

use std::{cmp::Reverse, collections::VecDeque, sync::Arc};

use base::{PostId, Topic, UserId};
use platform::{App, Query, Result};

use crate::{
    Post, Reader, listed,
    reading::cached_list::{self, CachedList},
    timeline,
};

/// A source of posts for a list. A source reads its posts in batches, newest first.
pub struct Source {
    kind: SourceKind,
    /// Posts that were read but not returned yet. The cache shares these posts, so a page copies only the posts that it
    /// contains.
    pub(crate) ready: VecDeque<Arc<Post>>,
    last: Option<PostId>,
    /// The pinned post. The source omits this post, because the list starts with it.
    skipped: Option<PostId>,
    exhausted: bool,
}

enum SourceKind {
    /// An index query. Its sort keys are post IDs.
    Query(Query),
    /// A list whose newest posts are cached.
    CachedList(CachedList),
    /// A user's timeline, and additional posts to merge into the timeline, newest first.
    Timeline(UserId, Vec<PostId>),
}

impl Source {
    /// Returns a source of the posts of an index query. The sort keys must be post IDs.
    pub fn query(query: Query) -> Self {
        Self::new(SourceKind::Query(query))
    }

    /// Returns a source of the posts of an author. The newest posts come from a cache that is at most a second old.
    pub fn author(author: UserId) -> Self {
        Self::new(SourceKind::CachedList(CachedList::Author(author)))
    }

    /// Returns a source of the public posts and quotes with a hashtag. The newest posts come from a cache that is at
    /// most a second old.
    pub fn topic(topic: Topic) -> Self {
        Self::new(SourceKind::CachedList(CachedList::Topic(topic)))
    }

    /// Does the same as [`Source::topic`], but first removes the hashtag's posts from the cache.
    pub fn topic_uncached(app: &App, topic: Topic) -> Self {
        let list = CachedList::Topic(topic);
        cached_list::invalidate(app, &list);
        Self::new(SourceKind::CachedList(list))
    }

    /// Returns a source of the posts of an author, without the post `pinned`. If `first` is given, the source starts
    /// with this post.
    pub fn pinned(author: UserId, pinned: Option<PostId>, first: Option<Post>) -> Self {
        let posts = Self::query(Post::by_author(author));
        Self { skipped: pinned, ready: first.into_iter().map(Arc::new).collect(), ..posts }
    }

    /// Returns a source of the hidden posts of an author, without the post `pinned`. Only the author may see hidden
    /// posts.
    pub fn hidden(author: UserId, pinned: Option<PostId>) -> Self {
        Self { skipped: pinned, ..Self::query(Post::hidden_by_author(author)) }
    }

    /// Returns a source of the posts in a user's timeline, merged with the posts in `others`.
    pub fn timeline(reader: UserId, mut others: Vec<PostId>) -> Self {
        others.sort_unstable_by_key(|id| Reverse(*id));
        Self::new(SourceKind::Timeline(reader, others))
    }

    fn new(kind: SourceKind) -> Self {
        Self { kind, ready: VecDeque::new(), last: None, skipped: None, exhausted: false }
    }

    /// Makes the source start after `post`, or with the newest post if `post` is `None`.
    pub(crate) fn start_after(&mut self, post: Option<PostId>) {
        self.last = post;
    }

    pub(crate) fn is_cached(&self) -> bool {
        matches!(self.kind, SourceKind::CachedList(_))
    }

    /// Returns whether a read is necessary to get the next post.
    pub(crate) fn needs_read(&self) -> bool {
        self.ready.is_empty() && !self.exhausted
    }

    /// If a read is necessary to get the next post, returns the last post that was read. Otherwise returns `None`.
    pub(crate) fn stopped_at(&self) -> Option<PostId> {
        self.last.filter(|_| self.needs_read())
    }

    /// Reads the next rows if no post is ready. If all these posts are deleted or hidden, no post is ready afterwards.
    pub(crate) async fn fill(&mut self, app: &App, reader: &Reader, rows: usize) -> Result<()> {
        if self.needs_read() {
            match &self.kind {
                SourceKind::Query(query) => {
                    let query = query.clone().newest_first().before(self.last).limit(rows);
                    let found: Vec<Post> = app.table.query(&query).await?;
                    self.take(found.into_iter().map(Arc::new).collect(), rows);
                }
                SourceKind::CachedList(list) => {
                    let (list, found) = (list.clone(), cached_list::page(app, list, self.last, rows).await?);
                    self.take(found, rows);
                    self.ready.retain(|post| list.shows(post));
                }
                SourceKind::Timeline(user, others) => {
                    let found = timeline::newest(app, *user, self.last, rows).await?;
                    let found = with_others(found, others, self.last, rows);
                    self.exhausted = found.len() < rows;
                    self.last = found.last().copied().or(self.last);
                    self.ready = listed(app, reader, &found).await?.into_iter().map(Arc::new).collect();
                }
            }
        }
        Ok(())
    }

    fn take(&mut self, found: Vec<Arc<Post>>, rows: usize) {
        self.exhausted = found.len() < rows;
        self.last = found.last().map(|post| post.id).or(self.last);
        self.ready = found.into_iter().filter(|post| Some(post.id) != self.skipped).collect();
    }
}

/// Merges `found`, the next posts of a timeline, with the posts in `others` from the same range of IDs. Returns at most
/// `rows` posts.
fn with_others(
    mut found: Vec<PostId>,
    others: &[PostId],
    before: Option<PostId>,
    rows: usize,
) -> Vec<PostId> {
    let lowest = found.last().copied().filter(|_| found.len() >= rows);
    let within = |id: &&PostId| before.is_none_or(|high| **id < high) && lowest.is_none_or(|low| **id > low);
    found.extend(others.iter().filter(within));
    found.sort_unstable_by_key(|id| Reverse(*id));
    found.dedup();
    found.truncate(rows);
    found
}
