//! Lists of posts, newest first, from one index partition or from several merged.

use std::sync::Arc;

use base::ids::PostId;
use futures::future::try_join_all;
use people::relationships::ViewContext;
use platform::{
    App, Result,
    page::{Cursor, Page},
};

use crate::{
    Post, PostView, Reader, Source,
    reading::{
        view::views,
        visible::{meant_for, readable, visible_to},
    },
};

/// The number of rows that are read from each of several partitions beyond its fair share: one reading
/// then fills nearly every page (999 in 1000, with 4 shards and 20 rows).
const SPARE_ROWS: usize = 5;

/// The most readings of each partition for one page. Behind more posts that the viewer does not see, the page stays short
/// and the next one goes on.
const READINGS_MAX: usize = 10;

/// The rows of a page, and where the reading stopped before they filled it.
pub struct FoundRows {
    /// The rows, and at least one more when there is a next page.
    pub rows: Vec<Post>,
    /// The last post that was looked at, when there are more.
    pub stopped_at: Option<PostId>,
}

/// Returns a page of the sources' posts that the reader may read and that nothing hides from them, as they see them.
pub async fn newest(
    app: &App,
    reader: &Reader,
    sources: Vec<Source>,
    cursor: Cursor<PostId>,
) -> Result<Page<PostView>> {
    let FoundRows { rows, stopped_at } = newest_rows(app, reader, sources, &cursor).await?;
    let stopped = stopped_at.map(|it| it.to_string());
    let Page { rows, after } = Page::cut_or_stopped(rows, cursor.take, |post| post.id.to_string(), stopped);
    Ok(Page { rows: views(app, reader.viewer, rows).await?, after })
}

/// Returns the rows of a page, in a bounded number of readings.
pub async fn newest_rows(
    app: &App,
    reader: &Reader,
    mut sources: Vec<Source>,
    cursor: &Cursor<PostId>,
) -> Result<FoundRows> {
    let wanted = cursor.take.rows() + 1;
    for source in &mut sources {
        source.begin_after(cursor.after);
    }
    let (mut rows, mut readings) = (Vec::with_capacity(wanted), READINGS_MAX);
    loop {
        let merged = merge(app, reader, &mut sources, wanted - rows.len(), &mut readings).await?;
        let ended = merged.is_empty();
        let readable = match reader.context {
            ViewContext::Profile => meant_for(app, reader.viewer, merged).await?,
            _ => readable(app, reader.viewer, merged).await?,
        };
        rows.extend(visible_to(app, reader, readable).await?);
        if ended || readings == 0 || rows.len() >= wanted {
            // What is newer than the newest such place was looked at, in every partition.
            let stopped_at = sources.iter().filter_map(Source::stopped_at).max();
            return Ok(FoundRows { rows, stopped_at });
        }
    }
}

/// Returns the next `wanted` posts of all sources together, fewer when all end or no reading is left, and more when
/// more were read.
async fn merge(
    app: &App,
    reader: &Reader,
    sources: &mut [Source],
    wanted: usize,
    readings: &mut usize,
) -> Result<Vec<Post>> {
    // What is in memory takes nothing from the share of the others: nearly all of a page may come from a single timeline.
    let share = share_of(wanted, sources.len());
    let own_share = share_of(wanted, sources.iter().filter(|source| !source.is_often_read()).count());
    let mut merged = Vec::with_capacity(wanted);
    loop {
        // Posts that are newer than any that a partition may still have can be shown already.
        let unknown_below = sources.iter().filter_map(Source::stopped_at).max();
        let newest = sources.iter().filter_map(|source| source.ready.front().map(|post| post.id)).max();
        if let Some(newest) = newest.filter(|post| Some(*post) > unknown_below) {
            let found =
                sources.iter_mut().filter_map(|source| source.ready.pop_front_if(|post| post.id == newest));
            merged.extend(found.last().map(Arc::unwrap_or_clone));
        } else if merged.len() < wanted && *readings > 0 && sources.iter().any(Source::must_be_read) {
            *readings -= 1;
            let fill = sources.iter_mut().map(|source| {
                let rows = if source.is_often_read() { share } else { own_share };
                source.fill(app, reader, rows)
            });
            try_join_all(fill).await?;
        } else {
            return Ok(merged);
        }
    }
}

/// Returns the rows that one of several lists gives to a page at first.
fn share_of(wanted: usize, lists: usize) -> usize {
    match lists {
        0 | 1 => wanted,
        several => wanted.div_ceil(several) + SPARE_ROWS,
    }
}
