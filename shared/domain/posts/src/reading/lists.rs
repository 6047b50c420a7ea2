//! Lists of posts, newest first. A list is read from one source or merged from several sources.

use std::sync::Arc;

use base::PostId;
use futures::future::try_join_all;
use people::ViewContext;
use platform::{App, Cursor, Page, Result};

use crate::{Post, PostView, Reader, Source, readable, reading::visible::meant_for, view_page, visible_to};

/// Number of extra rows to read from each partition of a list with several partitions. With these rows, one read of
/// each partition nearly always fills a page.
const SPARE_ROWS: usize = 5;

/// Maximum number of reads of each partition for one page. If too many posts are hidden from the viewer, the page has
/// fewer posts, and the next page continues the list.
const READS_MAX: usize = 10;

/// The rows of a page, and the position at which the next page continues.
pub struct FoundRows {
    /// The rows of the page, plus at least one more row if there is a next page.
    pub rows: Vec<Post>,
    /// The position at which the next page continues, or `None` at the end of the list.
    pub stopped_at: Option<PostId>,
}

/// Returns a page of posts from all sources, newest first. Omits posts that the reader may not read, and posts that a
/// block or mute hides.
pub async fn newest(
    app: &App,
    reader: &Reader,
    sources: Vec<Source>,
    cursor: Cursor<PostId>,
) -> Result<Page<PostView>> {
    let FoundRows { rows, stopped_at } = newest_rows(app, reader, sources, &cursor).await?;
    let stopped = stopped_at.map(|id| id.to_string());
    let page = Page::cut_or_stopped(rows, cursor.take, |post| post.id.to_string(), stopped);
    view_page(app, reader.viewer, page).await
}

/// Returns the posts of a page, newest first. Reads each source at most 10 times.
pub async fn newest_rows(
    app: &App,
    reader: &Reader,
    mut sources: Vec<Source>,
    cursor: &Cursor<PostId>,
) -> Result<FoundRows> {
    let wanted = cursor.take.rows() + 1;
    for source in &mut sources {
        source.start_after(cursor.after);
    }
    let (mut rows, mut reads_left) = (Vec::with_capacity(wanted), READS_MAX);
    loop {
        let merged = merge(app, reader, &mut sources, wanted - rows.len(), &mut reads_left).await?;
        let ended = merged.is_empty();
        let readable = match reader.context {
            ViewContext::Profile => meant_for(app, reader.viewer, merged).await?,
            _ => readable(app, reader.viewer, merged).await?,
        };
        rows.extend(visible_to(app, reader, readable).await?);
        if ended || reads_left == 0 || rows.len() >= wanted {
            // All sources were read at least down to this position.
            let stopped_at = sources.iter().filter_map(Source::stopped_at).max();
            return Ok(FoundRows { rows, stopped_at });
        }
    }
}

/// Returns the next posts, merged from all sources. Returns fewer than `wanted` posts only if all sources have ended or
/// `reads_left` is 0. Can return more than `wanted` posts, because posts that were already read are returned, too.
async fn merge(
    app: &App,
    reader: &Reader,
    sources: &mut [Source],
    wanted: usize,
    reads_left: &mut usize,
) -> Result<Vec<Post>> {
    // Cached sources do not reduce the rows read from other sources, because a timeline may fill nearly a whole page.
    let share = share_of(wanted, sources.len());
    let uncached_share = share_of(wanted, sources.iter().filter(|source| !source.is_cached()).count());
    let mut merged = Vec::with_capacity(wanted);
    loop {
        // The newest post that was read is the next post, unless a source may still have an unread newer post.
        let unknown_below = sources.iter().filter_map(Source::stopped_at).max();
        let newest = sources.iter().filter_map(|source| source.ready.front().map(|post| post.id)).max();
        if let Some(newest) = newest.filter(|post| Some(*post) > unknown_below) {
            let found =
                sources.iter_mut().filter_map(|source| source.ready.pop_front_if(|post| post.id == newest));
            merged.extend(found.last().map(Arc::unwrap_or_clone));
        } else if merged.len() < wanted && *reads_left > 0 && sources.iter().any(Source::needs_read) {
            *reads_left -= 1;
            let fill = sources.iter_mut().map(|source| {
                let rows = if source.is_cached() { share } else { uncached_share };
                source.fill(app, reader, rows)
            });
            try_join_all(fill).await?;
        } else {
            return Ok(merged);
        }
    }
}

/// Returns the number of rows to read from each list, if `lists` lists together must return `wanted` rows.
fn share_of(wanted: usize, lists: usize) -> usize {
    match lists {
        0 | 1 => wanted,
        several => wanted.div_ceil(several) + SPARE_ROWS,
    }
}
