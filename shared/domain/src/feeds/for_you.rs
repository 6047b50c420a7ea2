//! FOR_YOU: the newest public posts of anyone. Each instance caches the newest page.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use platform::{
    App,
    error::Result,
    page::{Cursor, Page},
    time::Time,
};

use crate::{
    ids::{PostId, UserId},
    people::relationships::Surface,
    posts::{
        Post, PostView, engagements,
        feed_index::{self, FeedVersions},
        lists::{newest, newest_rows},
        views, views_with, visible_to,
    },
};

/// The age of a cached page at which it expires, in case a change of a version is missed.
const CACHE_MILLIS: i64 = 2_000;
/// The number of page sizes that are cached at a time.
const CACHED_PAGES_MAX: usize = 8;

/// Returns the newest public posts of type POST. At a page of 20 of 1 KB, signed in, it costs 8 calls and
/// 12.5 RRU; from the cache 4 calls and 4.5 RRU.
pub(super) async fn for_you(
    app: &App,
    viewer: Option<UserId>,
    cursor: Cursor<PostId>,
) -> Result<Page<PostView>> {
    let cacheable = cursor.after.is_none() && !*app.settings.enforce_visibility;
    let first = if cacheable { first_page(app, viewer, &cursor).await? } else { None };
    match first {
        Some(page) => Ok(page),
        None => newest(app, viewer, feed_index::sources(app), cursor, Surface::Feed).await,
    }
}

/// Returns the newest page from the cache, or reads it for any viewer and caches it. Returns none when the
/// viewer hides so much of it that it is not full.
async fn first_page(
    app: &App,
    viewer: Option<UserId>,
    cursor: &Cursor<PostId>,
) -> Result<Option<Page<PostView>>> {
    let versions = feed_index::versions(app).await?;
    if let Some(cached) = app.memory.of::<FeedCache>().get(app, &versions, cursor) {
        let Some((rows, after)) = visible_page(app, viewer, &cached.rows, cursor).await? else {
            return Ok(None);
        };
        if let Some(rows) = views_of_cached(app, viewer, rows).await? {
            return Ok(Some(Page { rows, after }));
        }
    }
    let rows = newest_rows(app, None, feed_index::sources(app), cursor, Surface::Feed).await?;
    let page = CachedPage { versions, read_at: app.now(), rows: rows.clone() };
    app.memory.of::<FeedCache>().put(cursor.take.rows(), page);
    let Some((rows, after)) = visible_page(app, viewer, &rows, cursor).await? else { return Ok(None) };
    Ok(Some(Page { rows: views(app, viewer, rows).await?, after }))
}

/// Cuts a page of those rows that the viewer does not hide. Returns none when they do not fill it.
async fn visible_page(
    app: &App,
    viewer: Option<UserId>,
    rows: &[Post],
    cursor: &Cursor<PostId>,
) -> Result<Option<(Vec<Post>, Option<String>)>> {
    let wanted = cursor.take.rows() + 1;
    let visible = visible_to(app, viewer, rows.to_vec(), Surface::Feed).await?;
    let whole = visible.len() >= wanted || rows.len() < wanted;
    let Page { rows, after } = Page::cut(visible, cursor.take, |it| it.id.to_string());
    Ok(whole.then_some((rows, after)))
}

/// Returns cached rows as the viewer sees them. Returns none when a like of the viewer was settled since
/// they were read: their counts would not include it.
async fn views_of_cached(
    app: &App,
    viewer: Option<UserId>,
    rows: Vec<Post>,
) -> Result<Option<Vec<PostView>>> {
    let ids: Vec<_> = rows.iter().map(|it| it.id).collect();
    let engagements = engagements::of_page(app, viewer, &ids).await?;
    if rows.iter().any(|post| engagements.get(&post.id).is_some_and(|it| it.seq > post.likes_seq)) {
        return Ok(None);
    }
    views_with(app, viewer, rows, async { Ok(engagements) }).await.map(Some)
}

/// The newest page as this instance last read it, by page size; valid while the feed's versions stay.
#[derive(Default)]
struct FeedCache(Mutex<HashMap<usize, Arc<CachedPage>>>);

struct CachedPage {
    versions: FeedVersions,
    read_at: Time,
    rows: Vec<Post>,
}

impl FeedCache {
    /// Returns the cached page, unless it is outdated.
    fn get(&self, app: &App, versions: &FeedVersions, cursor: &Cursor<PostId>) -> Option<Arc<CachedPage>> {
        let page = self.lock().get(&cursor.take.rows()).cloned()?;
        let age = app.now().millis() - page.read_at.millis();
        (page.versions == *versions && age < CACHE_MILLIS).then_some(page)
    }

    fn put(&self, take: usize, page: CachedPage) {
        let mut pages = self.lock();
        if pages.len() >= CACHED_PAGES_MAX {
            pages.clear();
        }
        pages.insert(take, Arc::new(page));
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<usize, Arc<CachedPage>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
