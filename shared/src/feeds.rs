//! The news feed: FOR_YOU, the newest public posts of anyone; FOLLOWING, those of whom one follows.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    App,
    blocks::{self, Place},
    error::Result,
    follows,
    id::{PostId, UserId},
    lists::{Source, newest, newest_rows},
    page::{Cursor, Page},
    posts::{Post, PostType, PostView, engagements_of_page, views, views_with},
    table::{Index, Key, Row, Write},
    time::Time,
};

/// Longest that a remembered page is shown, should a change of the feed's version be missed.
const CACHE_MILLIS: i64 = 2_000;
/// Page sizes that are remembered at a time.
const CACHED_PAGES_MAX: usize = 8;
/// Popular authors whom one follows, at most so many of the newest, are merged when the feed is read.
const MERGED_AUTHORS_MAX: usize = 100;

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
pub struct FeedCache(Mutex<HashMap<usize, Arc<Remembered>>>);

struct Remembered {
    versions: Vec<Version>,
    read_at: Time,
    rows: Vec<Post>,
}

/// Counts the changes of what a shard of the feed shows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Version {
    shard: u8,
    version: i64,
}

/// The newest public posts of type POST. At a page of 20 of 1 KB, signed in: 8 calls and 12.5 RRU;
/// the newest page again while nothing changed: 4 calls and 4.5 RRU.
///
/// # Errors
/// Internal only.
pub async fn for_you(app: &App, viewer: Option<UserId>, cursor: Cursor<PostId>) -> Result<Page<PostView>> {
    if cursor.after.is_some() || *app.settings.enforce_visibility {
        return newest(app, viewer, shards(app), cursor, Place::Feed).await;
    }
    match first_page(app, viewer, &cursor).await? {
        Some(page) => Ok(page),
        None => newest(app, viewer, shards(app), cursor, Place::Feed).await,
    }
}

/// The newest page out of what is remembered, or is read for anyone and then remembered; none where
/// so much of it is hidden from the viewer that it is not full.
async fn first_page(
    app: &App,
    viewer: Option<UserId>,
    cursor: &Cursor<PostId>,
) -> Result<Option<Page<PostView>>> {
    let versions = versions(app).await?;
    if let Some(page) = app.caches.feed.recall(app, &versions, cursor) {
        let Some((rows, after)) = personal(app, viewer, &page.rows, cursor).await? else { return Ok(None) };
        if let Some(rows) = up_to_date(app, viewer, rows).await? {
            return Ok(Some(Page { rows, after }));
        }
    }
    let rows = newest_rows(app, None, shards(app), cursor, Place::Feed).await?;
    let read = Remembered { versions, read_at: app.now(), rows: rows.clone() };
    app.caches.feed.remember(cursor.take.rows(), read);
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
    let visible = blocks::visible_to(app, viewer, rows.to_vec(), Place::Feed).await?;
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
/// 1 call more, and 0.5 RRU for each 4 KB, for each popular author. See [`crate::timelines`].
///
/// # Errors
/// Internal only.
pub async fn following(app: &App, viewer: UserId, cursor: Cursor<PostId>) -> Result<Page<PostView>> {
    let merged = follows::merged_by(app, viewer, MERGED_AUTHORS_MAX).await?;
    let merged = merged.into_iter().map(Source::by_author);
    let sources = [Source::timeline(viewer)].into_iter().chain(merged).collect();
    newest(app, Some(viewer), sources, cursor, Place::Following).await
}

/// The shard of the public feed that a post belongs to.
pub fn shard_of(app: &App, post: PostId) -> u8 {
    (post.random() % u128::from(*app.settings.feed_shards)) as u8
}

/// Tells every instance that a shard of the feed shows something else now. 1 call, 1 WRU.
///
/// A failure is only logged: the change itself is written, and remembered pages end by themselves.
pub async fn bump(app: &App, post: &Post) {
    if post.kind != PostType::Post {
        return;
    }
    let bump = Write::update(version_key(post.shard)).set("shard", post.shard).add("version", 1);
    if let Err(error) = app.table.write(bump).await {
        tracing::warn!("the feed's version was not raised: {error:?}");
    }
}

fn shards(app: &App) -> Vec<Source> {
    let shards = 0..*app.settings.feed_shards;
    shards.map(|it| Source::new(Index::Two, format!("FEED#{it}"))).collect()
}

/// 1 call, 0.5 RRU a shard.
async fn versions(app: &App) -> Result<Vec<Version>> {
    let keys: Vec<_> = (0..*app.settings.feed_shards).map(version_key).collect();
    let mut versions: Vec<Version> = app.table.batch_peek(&keys).await?;
    versions.sort_unstable();
    Ok(versions)
}

fn version_key(shard: u8) -> Key {
    Key::new(format!("FEED#{shard}"), "VERSION")
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

/// `FEED#shard / VERSION`
impl Row for Version {
    fn key(&self) -> Key {
        version_key(self.shard)
    }
}
