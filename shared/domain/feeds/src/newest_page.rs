//! The newest page of the public feed, as each instance remembers it: so it is asked for once a second, however many
//! read it.

use std::sync::Arc;

use base::ids::PostId;
use moka::sync::Cache;
use people::relationships::ViewContext;
use platform::{App, error::Result, page::Cursor, time::Time};

use posts::{
    Post, Reader,
    feed_index::{self, FeedVersions},
    lists::newest_rows,
};

const FRESH_MILLIS: i64 = 1_000;
/// The age at which a page is read again, though no version says that it is outdated.
const OUTDATED_MILLIS: i64 = 10_000;
const PAGE_SIZES_MAX: u64 = 100;

/// A page that is right for everybody who hides nothing of it.
pub(super) struct NewestPage {
    pub(super) rows: Vec<Post>,
    versions: FeedVersions,
    local_changes: u64,
    read_at: Time,
}

/// What this instance remembers, by page size, and when it last looked whether the feed changed.
struct NewestPages(Cache<usize, (Time, Arc<NewestPage>)>);

impl Default for NewestPages {
    fn default() -> Self {
        Self(Cache::new(PAGE_SIZES_MAX))
    }
}

/// Returns the newest page, a second old at most.
pub(super) async fn remembered(app: &App, cursor: &Cursor<PostId>) -> Result<Arc<NewestPage>> {
    let pages = app.memory.of::<NewestPages>();
    let Some((checked_at, page)) = pages.0.get(&cursor.take.rows()).filter(|(_, page)| page.is_current(app))
    else {
        return read(app, cursor).await;
    };
    if is_younger(checked_at, FRESH_MILLIS, app) {
        return Ok(page);
    }
    match feed_index::versions(app).await? == page.versions {
        true => Ok(remember(app, app.now(), cursor, page)),
        false => read(app, cursor).await,
    }
}

/// Reads the newest page, and remembers it.
pub(super) async fn read(app: &App, cursor: &Cursor<PostId>) -> Result<Arc<NewestPage>> {
    let (local_changes, read_at) = (feed_index::local_changes(app), app.now());
    // Before the posts: what changes meanwhile shows in the next versions.
    let versions = feed_index::versions(app).await?;
    let (anybody, sources) = (Reader::new(None, ViewContext::Feed), feed_index::sources(app).await?);
    let found = newest_rows(app, &anybody, sources, cursor).await?;
    let rows = found.rows;
    Ok(remember(app, read_at, cursor, Arc::new(NewestPage { rows, versions, local_changes, read_at })))
}

fn remember(app: &App, checked_at: Time, cursor: &Cursor<PostId>, page: Arc<NewestPage>) -> Arc<NewestPage> {
    app.memory.of::<NewestPages>().0.insert(cursor.take.rows(), (checked_at, Arc::clone(&page)));
    page
}

fn is_younger(since: Time, millis: i64, app: &App) -> bool {
    app.now().millis() < since.millis() + millis
}

impl NewestPage {
    fn is_current(&self, app: &App) -> bool {
        self.local_changes == feed_index::local_changes(app) && is_younger(self.read_at, OUTDATED_MILLIS, app)
    }
}
