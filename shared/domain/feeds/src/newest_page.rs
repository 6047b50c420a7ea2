//! Caches the newest page of the public feed. Each instance checks at most once a second whether the page is current.

use std::sync::Arc;

use base::PostId;
use moka::sync::Cache;
use people::ViewContext;
use platform::{App, Cursor, Result, Time};

use posts::{
    Post, Reader,
    feed_index::{self, FeedVersions},
    lists::newest_rows,
};

const FRESH_MILLIS: i64 = 1_000;
/// Age at which a page is read again, even if it seems current.
const OUTDATED_MILLIS: i64 = 10_000;
const PAGE_SIZES_MAX: u64 = 100;

/// The newest page, including posts that are hidden from some viewers.
pub(super) struct NewestPage {
    pub(super) rows: Vec<Post>,
    versions: FeedVersions,
    local_changes: u64,
    read_at: Time,
}

/// The cached pages, by page size. Each page has the time of its last version check.
struct NewestPages(Cache<usize, (Time, Arc<NewestPage>)>);

impl Default for NewestPages {
    fn default() -> Self {
        Self(Cache::new(PAGE_SIZES_MAX))
    }
}

/// Returns the newest page, which was current at most a second ago.
pub(super) async fn cached(app: &App, cursor: &Cursor<PostId>) -> Result<Arc<NewestPage>> {
    let pages = app.memory.of::<NewestPages>();
    let Some((checked_at, page)) = pages.0.get(&cursor.take.rows()).filter(|(_, page)| page.is_current(app))
    else {
        return read(app, cursor).await;
    };
    if is_younger(checked_at, FRESH_MILLIS, app) {
        return Ok(page);
    }
    match feed_index::versions(app).await? == page.versions {
        true => Ok(store(app, app.now(), cursor, page)),
        false => read(app, cursor).await,
    }
}

/// Reads the newest page and caches it.
pub(super) async fn read(app: &App, cursor: &Cursor<PostId>) -> Result<Arc<NewestPage>> {
    let (local_changes, read_at) = (feed_index::local_changes(app), app.now());
    // Read the versions before the posts, so that a concurrent change makes the page outdated.
    let versions = feed_index::versions(app).await?;
    let (anonymous, sources) = (Reader::new(None, ViewContext::Feed), feed_index::sources(app).await?);
    let found = newest_rows(app, &anonymous, sources, cursor).await?;
    let rows = found.rows;
    Ok(store(app, read_at, cursor, Arc::new(NewestPage { rows, versions, local_changes, read_at })))
}

fn store(app: &App, checked_at: Time, cursor: &Cursor<PostId>, page: Arc<NewestPage>) -> Arc<NewestPage> {
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
