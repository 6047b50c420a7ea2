//! The FOLLOWING feed. The feed shows posts of the users and hashtags that the viewer follows.

use base::{PostId, UserId};
use platform::{App, Cursor, Page, Result};
use posts::{PostView, Reader, Source, lists::newest};

use people::{Merged, ViewContext, follows};

/// Maximum number of popular authors whose posts are merged when the feed is read, most recently followed first.
const MERGED_AUTHORS_MAX: usize = 100;

/// Returns a page of posts by followed users, posts with followed hashtags, and the viewer's own posts.
///
/// Merges the viewer's timeline with older posts of newly followed users, posts of popular authors, and posts with
/// followed hashtags. See [`super::timelines`].
pub(super) async fn following(app: &App, viewer: UserId, cursor: Cursor<PostId>) -> Result<Page<PostView>> {
    let Merged { authors, posts, topics } = follows::merged_by(app, viewer).await?;
    let authors = authors.into_iter().take(MERGED_AUTHORS_MAX).map(Source::author);
    let topics = topics.into_iter().map(Source::topic);
    let sources = [Source::timeline(viewer, posts)].into_iter().chain(authors).chain(topics).collect();
    newest(app, &Reader::new(Some(viewer), ViewContext::Following), sources, cursor).await
}
