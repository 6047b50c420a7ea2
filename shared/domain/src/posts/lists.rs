//! Lists of posts, newest first, of one index partition or of several merged.

use std::collections::VecDeque;

use futures::future::try_join_all;
use platform::{
    App, Result,
    page::{Cursor, Page},
    table::{Index, Query},
};

use crate::{
    ids::{PostId, UserId},
    people::relationships::Surface,
    posts::{self, Post, PostView, readable, timeline, views},
};

/// What is read from each of several partitions beyond its fair share: enough that one reading
/// nearly always fills a page (999 in 1000, with 4 shards and 20 rows).
const SPARE_ROWS: usize = 5;

/// Something that posts are read from, newest first.
pub struct Source {
    kind: Kind,
    ready: VecDeque<Post>,
    last: Option<PostId>,
    exhausted: bool,
}

enum Kind {
    /// A partition of an index whose sort keys are posts' ids.
    Partition(Index, String),
    /// Somebody's timeline.
    Timeline(UserId),
}

impl Source {
    /// The partition `pk` of an index.
    pub fn new(index: Index, pk: String) -> Self {
        Self::of(Kind::Partition(index, pk))
    }

    /// What a worker brought to somebody's timeline.
    pub fn timeline(reader: UserId) -> Self {
        Self::of(Kind::Timeline(reader))
    }

    fn of(kind: Kind) -> Self {
        Self { kind, ready: VecDeque::new(), last: None, exhausted: false }
    }

    /// What an author wrote, quoted and reposted.
    pub fn by_author(author: UserId) -> Self {
        Self::new(Index::Gsi1, format!("AUTHOR#{author}"))
    }

    /// Whether its newest row is not known yet.
    fn must_be_read(&self) -> bool {
        self.ready.is_empty() && !self.exhausted
    }

    /// Reads the next rows when none are ready. 1 call, 0.5 RRU for each 4 KB; of a timeline 2 calls,
    /// and 0.5 RRU for each post.
    async fn fill(&mut self, app: &App, rows: usize) -> Result<()> {
        while self.must_be_read() {
            let last = match &self.kind {
                Kind::Partition(index, pk) => {
                    let query = Query::index(*index, pk).newest_first().before(self.last).limit(rows);
                    let found: Vec<Post> = app.table.query(&query).await?;
                    self.exhausted = found.len() < rows;
                    let last = found.last().map(|it| it.id);
                    self.ready = found.into();
                    last
                }
                Kind::Timeline(reader) => {
                    let found = timeline::newest(app, *reader, self.last, rows).await?;
                    self.exhausted = found.len() < rows;
                    self.ready = posts::listed(app, &found).await?.into();
                    found.last().copied()
                }
            };
            self.last = last.or(self.last);
        }
        Ok(())
    }
}

/// A page of the sources' posts that the viewer may read and nothing hides there, as the viewer sees
/// them.
///
/// # Errors
/// Internal only.
pub async fn newest(
    app: &App,
    viewer: Option<UserId>,
    sources: Vec<Source>,
    cursor: Cursor<PostId>,
    surface: Surface,
) -> Result<Page<PostView>> {
    let rows = newest_rows(app, viewer, sources, &cursor, surface).await?;
    let Page { rows, after } = Page::cut(rows, cursor.take, |it| it.id.to_string());
    Ok(Page { rows: views(app, viewer, rows).await?, after })
}

/// The rows of a page and at least one more, which tells whether there is a next.
///
/// # Errors
/// Internal only.
pub async fn newest_rows(
    app: &App,
    viewer: Option<UserId>,
    mut sources: Vec<Source>,
    cursor: &Cursor<PostId>,
    surface: Surface,
) -> Result<Vec<Post>> {
    let wanted = cursor.take.rows() + 1;
    for source in &mut sources {
        source.last = cursor.after;
    }
    let mut rows = Vec::with_capacity(wanted);
    loop {
        let merged = merge(app, &mut sources, wanted - rows.len()).await?;
        let ended = merged.is_empty();
        let readable = readable(app, viewer, merged).await?;
        rows.extend(posts::visible_to(app, viewer, readable, surface).await?);
        if ended || rows.len() >= wanted {
            return Ok(rows);
        }
    }
}

/// The next `wanted` posts of all sources together, fewer only when they end; and those after them
/// that were read along.
async fn merge(app: &App, sources: &mut [Source], wanted: usize) -> Result<Vec<Post>> {
    let share = match sources.len() {
        0 | 1 => wanted,
        several => wanted.div_ceil(several) + SPARE_ROWS,
    };
    let mut merged = Vec::with_capacity(wanted);
    loop {
        if merged.len() < wanted {
            try_join_all(sources.iter_mut().map(|it| it.fill(app, share))).await?;
        } else if sources.iter().any(Source::must_be_read) {
            break;
        }
        let newest = sources.iter_mut().max_by_key(|it| it.ready.front().map(|post| post.id));
        let Some(post) = newest.and_then(|it| it.ready.pop_front()) else { break };
        for source in sources.iter_mut() {
            source.ready.pop_front_if(|it| it.id == post.id);
        }
        merged.push(post);
    }
    Ok(merged)
}
