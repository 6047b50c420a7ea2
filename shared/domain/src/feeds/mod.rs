//! The news feed: FOR_YOU, the newest public posts of anyone; FOLLOWING, those of whom one follows.

pub mod by_author;
pub mod timelines;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use platform::{
    App,
    error::{Error, Result},
    page::{Cursor, Page},
    time::Time,
};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    ids::{PostId, UserId},
    people::{follows, relationships::Surface},
    posts::{
        self, Post, PostView, engagements_of_page,
        feed_index::{self, Version},
        lists::{Source, newest, newest_rows},
        views, views_with,
    },
};

/// Longest that a remembered page is shown, should a change of the feed's version be missed.
const CACHE_MILLIS: i64 = 2_000;
/// Page sizes that are remembered at a time.
const CACHED_PAGES_MAX: usize = 8;
/// Popular authors whom one follows, at most so many of the newest, are merged when the feed is read.
const MERGED_AUTHORS_MAX: usize = 100;

const SIGN_IN: Error = Error::Unauthenticated("sign in first");

/// Which feed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum FeedType {
    /// The newest public posts of anyone.
    #[default]
    ForYou,
    /// Posts, quotes and reposts of those one follows, and one's own.
    Following,
}

/// The newest page, as this instance read it last; good while the feed's versions stand.
#[derive(Default)]
struct FeedCache(Mutex<HashMap<usize, Arc<Remembered>>>);

struct Remembered {
    versions: Vec<Version>,
    read_at: Time,
    rows: Vec<Post>,
}

/// Returns a page of one of the feeds. Costs as [`for_you`] or [`following`].
///
/// # Errors
/// [`Error::Unauthenticated`] for FOLLOWING without a viewer.
pub async fn page(
    app: &App,
    viewer: Option<UserId>,
    feed: FeedType,
    cursor: Cursor<PostId>,
) -> Result<Page<PostView>> {
    match feed {
        FeedType::ForYou => for_you(app, viewer, cursor).await,
        FeedType::Following => following(app, viewer.ok_or(SIGN_IN)?, cursor).await,
    }
}

/// The newest public posts of type POST. At a page of 20 of 1 KB, signed in: 8 calls and 12.5 RRU;
/// the newest page again while nothing changed: 4 calls and 4.5 RRU.
///
/// # Errors
/// Internal only.
pub async fn for_you(app: &App, viewer: Option<UserId>, cursor: Cursor<PostId>) -> Result<Page<PostView>> {
    if cursor.after.is_some() || *app.settings.enforce_visibility {
        return newest(app, viewer, feed_index::shards(app), cursor, Surface::Feed).await;
    }
    match first_page(app, viewer, &cursor).await? {
        Some(page) => Ok(page),
        None => newest(app, viewer, feed_index::shards(app), cursor, Surface::Feed).await,
    }
}

/// The newest page out of what is remembered, or is read for anyone and then remembered; none where
/// so much of it is hidden from the viewer that it is not full.
async fn first_page(
    app: &App,
    viewer: Option<UserId>,
    cursor: &Cursor<PostId>,
) -> Result<Option<Page<PostView>>> {
    let versions = feed_index::versions(app).await?;
    if let Some(page) = app.memory.of::<FeedCache>().recall(app, &versions, cursor) {
        let Some((rows, after)) = personal(app, viewer, &page.rows, cursor).await? else { return Ok(None) };
        if let Some(rows) = up_to_date(app, viewer, rows).await? {
            return Ok(Some(Page { rows, after }));
        }
    }
    let rows = newest_rows(app, None, feed_index::shards(app), cursor, Surface::Feed).await?;
    let read = Remembered { versions, read_at: app.now(), rows: rows.clone() };
    app.memory.of::<FeedCache>().remember(cursor.take.rows(), read);
    let Some((rows, after)) = personal(app, viewer, &rows, cursor).await? else { return Ok(None) };
    Ok(Some(Page { rows: views(app, viewer, rows).await?, after }))
}

/// A page of these rows without what is hidden from the viewer, if enough is left.
async fn personal(
    app: &App,
    viewer: Option<UserId>,
    rows: &[Post],
    cursor: &Cursor<PostId>,
) -> Result<Option<(Vec<Post>, Option<String>)>> {
    let wanted = cursor.take.rows() + 1;
    let visible = posts::visible_to(app, viewer, rows.to_vec(), Surface::Feed).await?;
    let whole = visible.len() >= wanted || rows.len() < wanted;
    let Page { rows, after } = Page::cut(visible, cursor.take, |it| it.id.to_string());
    Ok(whole.then_some((rows, after)))
}

/// Remembered rows as the viewer sees them, unless the viewer's own like was counted since and would
/// be missed.
async fn up_to_date(app: &App, viewer: Option<UserId>, rows: Vec<Post>) -> Result<Option<Vec<PostView>>> {
    let ids: Vec<_> = rows.iter().map(|it| it.id).collect();
    let mine = engagements_of_page(app, viewer, &ids).await?;
    if rows.iter().any(|post| mine.get(&post.id).is_some_and(|it| it.seq > post.likes_seq)) {
        return Ok(None);
    }
    views_with(app, viewer, rows, async { Ok(mine) }).await.map(Some)
}

/// Posts of whom the viewer follows, and the viewer's own: out of their timeline, and merged with those
/// of popular authors, the newest 100 that they follow. At a page of 20 of 1 KB: 6 calls and 14.5 RRU;
/// 1 call more, and 0.5 RRU for each 4 KB, for each popular author. See [`crate::feeds::timelines`].
///
/// # Errors
/// Internal only.
pub async fn following(app: &App, viewer: UserId, cursor: Cursor<PostId>) -> Result<Page<PostView>> {
    let merged = follows::merged_by(app, viewer, MERGED_AUTHORS_MAX).await?;
    let merged = merged.into_iter().map(Source::by_author);
    let sources = [Source::timeline(viewer)].into_iter().chain(merged).collect();
    newest(app, Some(viewer), sources, cursor, Surface::Following).await
}

impl FeedCache {
    /// What is remembered of the newest page, while it is fresh.
    fn recall(&self, app: &App, versions: &[Version], cursor: &Cursor<PostId>) -> Option<Arc<Remembered>> {
        let page = self.lock().get(&cursor.take.rows()).cloned()?;
        let age = app.now().millis() - page.read_at.millis();
        (page.versions == versions && age < CACHE_MILLIS).then_some(page)
    }

    fn remember(&self, take: usize, page: Remembered) {
        let mut pages = self.lock();
        if pages.len() >= CACHED_PAGES_MAX {
            pages.clear();
        }
        pages.insert(take, Arc::new(page));
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<usize, Arc<Remembered>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
