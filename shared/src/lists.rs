//! Lists of posts, newest first, of one index partition or of several merged.

use std::collections::VecDeque;

use futures::future::try_join_all;

use crate::{
    App, Result,
    blocks::{self, Place},
    id::{PostId, UserId},
    page::{Cursor, Page},
    posts::{Post, PostView, readable, views},
    table::{Index, Query},
};

/// What is read from each of several partitions beyond its fair share: enough that one reading
/// nearly always fills a page (999 in 1000, with 4 shards and 20 rows).
const SPARE_ROWS: usize = 5;

/// A partition of an index whose sort keys are posts' ids.
pub struct Source {
    index: Index,
    pk: String,
    ready: VecDeque<Post>,
    last: Option<PostId>,
    exhausted: bool,
}

impl Source {
    /// The partition `pk` of an index.
    pub fn new(index: Index, pk: String) -> Self {
        Self { index, pk, ready: VecDeque::new(), last: None, exhausted: false }
    }

    /// What an author wrote, quoted and reposted.
    pub fn by_author(author: UserId) -> Self {
        Self::new(Index::One, format!("AUTHOR#{author}"))
    }

    /// Whether its newest row is not known yet.
    fn must_be_read(&self) -> bool {
        self.ready.is_empty() && !self.exhausted
    }

    /// Reads the next rows when none are ready. 1 call, 0.5 RRU for each 4 KB.
    async fn fill(&mut self, app: &App, rows: usize) -> Result<()> {
        if !self.must_be_read() {
            return Ok(());
        }
        let query = Query::index(self.index, &self.pk).newest_first().before(self.last).limit(rows);
        let found: Vec<Post> = app.table.query(&query).await?;
        self.exhausted = found.len() < rows;
        self.last = found.last().map(|it| it.id).or(self.last);
        self.ready = found.into();
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
    place: Place,
) -> Result<Page<PostView>> {
    let rows = newest_rows(app, viewer, sources, &cursor, place).await?;
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
    place: Place,
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
        rows.extend(blocks::visible_to(app, viewer, readable, place).await?);
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
        match newest.and_then(|it| it.ready.pop_front()) {
            Some(post) => merged.push(post),
            None => break,
        }
    }
    Ok(merged)
}
