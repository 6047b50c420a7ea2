//! Lists of posts, newest first, from one index partition or from several merged.

use std::collections::VecDeque;

use futures::future::try_join_all;
use platform::{
    App, Result,
    page::{Cursor, Page},
    table::Query,
};

use super::{
    Post, PostView, listed, timeline,
    view::views,
    visible::{readable, visible_to},
};
use crate::{
    ids::{PostId, UserId},
    people::relationships::Surface,
};

/// The number of rows that are read from each of several partitions beyond its fair share: one reading
/// then fills nearly every page (999 in 1000, with 4 shards and 20 rows).
const SPARE_ROWS: usize = 5;

/// A list of posts, newest first, that is read step by step.
pub struct Source {
    kind: SourceKind,
    ready: VecDeque<Post>,
    last: Option<PostId>,
    exhausted: bool,
}

enum SourceKind {
    /// A partition of an index whose sort keys are post ids.
    Query(Query),
    /// A user's timeline.
    Timeline(UserId),
}

impl Source {
    /// Reads the posts that a query of an index asks for. Its sort keys must be post ids.
    pub fn query(query: Query) -> Self {
        Self::new(SourceKind::Query(query))
    }

    /// Reads the posts of a user's timeline.
    pub fn timeline(reader: UserId) -> Self {
        Self::new(SourceKind::Timeline(reader))
    }

    fn new(kind: SourceKind) -> Self {
        Self { kind, ready: VecDeque::new(), last: None, exhausted: false }
    }

    /// Whether its next post is not known yet.
    fn must_be_read(&self) -> bool {
        self.ready.is_empty() && !self.exhausted
    }

    /// Reads the next rows when none are ready. Costs 1 call and 0.5 RRU for each 4 KB; for a timeline 2
    /// calls, and 0.5 RRU for each post.
    async fn fill(&mut self, app: &App, rows: usize) -> Result<()> {
        while self.must_be_read() {
            match &self.kind {
                SourceKind::Query(query) => {
                    let query = query.clone().newest_first().before(self.last).limit(rows);
                    let found: Vec<Post> = app.table.query(&query).await?;
                    self.exhausted = found.len() < rows;
                    self.last = found.last().map(|it| it.id).or(self.last);
                    self.ready = found.into();
                }
                SourceKind::Timeline(reader) => {
                    let found = timeline::newest(app, *reader, self.last, rows).await?;
                    self.exhausted = found.len() < rows;
                    self.last = found.last().copied().or(self.last);
                    self.ready = listed(app, &found).await?.into();
                }
            }
        }
        Ok(())
    }
}

/// Returns a page of the sources' posts that the viewer may read and that nothing hides on this surface,
/// as the viewer sees them.
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

/// Returns the rows of a page and at least one more when there is a next page.
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
        rows.extend(visible_to(app, viewer, readable, surface).await?);
        if ended || rows.len() >= wanted {
            return Ok(rows);
        }
    }
}

/// Returns the next `wanted` posts of all sources together, fewer only when all end, and more when
/// more were read.
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
