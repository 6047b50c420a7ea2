//! A list of posts, newest first, that is read step by step.

use std::{cmp::Reverse, collections::VecDeque, sync::Arc};

use base::{
    ids::{PostId, UserId},
    topic::Topic,
};
use platform::{App, Result, table::Query};

use crate::{
    Post, Reader, listed,
    reading::{
        often_read::{self, OftenRead},
        timeline,
    },
};

/// A list of posts, newest first, that is read step by step.
pub struct Source {
    kind: SourceKind,
    /// Those from memory are shared with it: a page copies only what it shows.
    pub(crate) ready: VecDeque<Arc<Post>>,
    last: Option<PostId>,
    /// A post that is not shown in its own place.
    skipped: Option<PostId>,
    exhausted: bool,
}

enum SourceKind {
    /// A partition of an index whose sort keys are post ids.
    Query(Query),
    /// A list that many read.
    OftenRead(OftenRead),
    /// A user's timeline, and other posts that belong into it, newest first.
    Timeline(UserId, Vec<PostId>),
}

impl Source {
    /// Reads the posts that a query of an index asks for. Its sort keys must be post ids.
    pub fn query(query: Query) -> Self {
        Self::new(SourceKind::Query(query))
    }

    /// Reads the posts of an author: the newest from memory, at most a second old.
    pub fn author(author: UserId) -> Self {
        Self::new(SourceKind::OftenRead(OftenRead::Author(author)))
    }

    /// Reads the public posts and quotes with a hashtag: the newest from memory, at most a second old.
    pub fn topic(topic: Topic) -> Self {
        Self::new(SourceKind::OftenRead(OftenRead::Topic(topic)))
    }

    /// Reads the public posts and quotes with a hashtag, and nothing from memory.
    pub fn topic_anew(app: &App, topic: Topic) -> Self {
        let list = OftenRead::Topic(topic);
        often_read::invalidate(app, &list);
        Self::new(SourceKind::OftenRead(list))
    }

    /// Reads an author's posts, where one of them is pinned: not in its own place, but first, where `first` is given.
    pub fn pinned(author: UserId, pinned: Option<PostId>, first: Option<Post>) -> Self {
        let posts = Self::query(Post::by_author(author));
        Self { skipped: pinned, ready: first.into_iter().map(Arc::new).collect(), ..posts }
    }

    /// Reads the posts of a user's timeline, and these others.
    pub fn timeline(reader: UserId, mut others: Vec<PostId>) -> Self {
        others.sort_unstable_by_key(|id| Reverse(*id));
        Self::new(SourceKind::Timeline(reader, others))
    }

    fn new(kind: SourceKind) -> Self {
        Self { kind, ready: VecDeque::new(), last: None, skipped: None, exhausted: false }
    }

    /// Begins behind a post.
    pub(crate) fn begin_after(&mut self, post: Option<PostId>) {
        self.last = post;
    }

    /// Whether its newest posts are in memory.
    pub(crate) fn is_often_read(&self) -> bool {
        matches!(self.kind, SourceKind::OftenRead(_))
    }

    /// Whether its next post is not known yet.
    pub(crate) fn must_be_read(&self) -> bool {
        self.ready.is_empty() && !self.exhausted
    }

    /// Returns the last post that was looked at, when its next post is not known yet.
    pub(crate) fn stopped_at(&self) -> Option<PostId> {
        self.last.filter(|_| self.must_be_read())
    }

    /// Reads the next rows when none are ready: none may be ready afterwards too, behind posts that are gone.
    pub(crate) async fn fill(&mut self, app: &App, reader: &Reader, rows: usize) -> Result<()> {
        if self.must_be_read() {
            match &self.kind {
                SourceKind::Query(query) => {
                    let query = query.clone().newest_first().before(self.last).limit(rows);
                    let found: Vec<Post> = app.table.query(&query).await?;
                    self.take(found.into_iter().map(Arc::new).collect(), rows);
                }
                SourceKind::OftenRead(list) => {
                    let (list, found) = (list.clone(), often_read::page(app, list, self.last, rows).await?);
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
        self.last = found.last().map(|it| it.id).or(self.last);
        self.ready = found.into_iter().filter(|post| Some(post.id) != self.skipped).collect();
    }
}

/// Merges the next posts of a timeline with those of the others that belong among them.
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
