//! The public posts with a hashtag.

use base::{PostId, Topic};
use people::ViewContext;
use platform::{App, Cursor, Page, Result};
use posts::{PostView, Reader, Source, lists::newest};

use super::Viewer;

/// Returns a page of the public posts and quotes with a hashtag, newest first.
pub async fn by_topic(
    app: &App,
    viewer: Option<Viewer>,
    topic: Topic,
    cursor: Cursor<PostId>,
) -> Result<Page<PostView>> {
    let source = match viewer.is_some_and(|viewer| viewer.has_just_written(app)) {
        true => Source::topic_uncached(app, topic),
        false => Source::topic(topic),
    };
    newest(app, &Reader::new(viewer.map(|viewer| viewer.user), ViewContext::Feed), vec![source], cursor).await
}
