//! The FOR_YOU feed. The feed shows the newest public posts of all users. Each instance caches the newest page for a
//! second.

use std::sync::Arc;

use base::PostId;
use people::ViewContext;
use platform::{App, Cursor, Page, Result};
use posts::{Post, PostView, Reader, feed_index, lists::newest, view_page, visible_to};

use super::{
    Viewer,
    newest_page::{self, NewestPage},
};

/// Returns a page of the newest public posts of type POST.
pub(super) async fn for_you(
    app: &App,
    viewer: Option<Viewer>,
    cursor: Cursor<PostId>,
) -> Result<Page<PostView>> {
    let user = viewer.map(|viewer| viewer.user);
    let reader = Reader::new(user, ViewContext::Feed);
    if cursor.after.is_none() {
        let newest = newest_page(app, viewer, &cursor).await?;
        if let Some(page) = visible_page(app, &reader, &newest.rows, &cursor).await? {
            return view_page(app, user, page).await;
        }
    }
    newest(app, &reader, feed_index::sources(app).await?, cursor).await
}

async fn newest_page(app: &App, viewer: Option<Viewer>, cursor: &Cursor<PostId>) -> Result<Arc<NewestPage>> {
    match viewer.is_some_and(|viewer| viewer.has_just_written(app)) {
        true => newest_page::read(app, cursor).await,
        false => newest_page::cached(app, cursor).await,
    }
}

/// Returns a page of the rows that are not hidden from the reader. Returns `None` if these rows do not fill the page.
async fn visible_page(
    app: &App,
    reader: &Reader,
    rows: &[Post],
    cursor: &Cursor<PostId>,
) -> Result<Option<Page<Post>>> {
    let wanted = cursor.take.rows() + 1;
    let visible = visible_to(app, reader, rows.to_vec()).await?;
    let is_full = visible.len() >= wanted || rows.len() < wanted;
    Ok(is_full.then(|| Page::cut(visible, cursor.take, |post| post.id.to_string())))
}
