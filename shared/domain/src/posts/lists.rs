//! Lists of posts, newest first, from one index partition or from several merged.

use futures::future::try_join_all;
use platform::{
    App, Result,
    page::{Cursor, Page},
};

use super::{
    Post, PostView, Source,
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
        source.begin_after(cursor.after);
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
