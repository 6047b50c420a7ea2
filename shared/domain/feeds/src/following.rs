//! FOLLOWING: the posts of the authors and with the hashtags that the viewer follows.

use base::ids::{PostId, UserId};
use platform::{
    App,
    error::Result,
    page::{Cursor, Page},
};
use posts::{PostView, Reader, Source, lists::newest};

use people::{
    follows::{self, Merged},
    relationships::ViewContext,
};

/// The number of popular authors, newest follow first, whose posts are merged when the feed is read.
const MERGED_AUTHORS_MAX: usize = 100;

/// Returns posts of the users whom the viewer follows, and the viewer's own: from the viewer's timeline, merged with
/// those from before the viewer's newest follows, with the posts of popular authors, and with those of hashtags that
/// the viewer follows. See [`super::timelines`].
pub(super) async fn following(app: &App, viewer: UserId, cursor: Cursor<PostId>) -> Result<Page<PostView>> {
    let Merged { authors, posts, topics } = follows::merged_by(app, viewer).await?;
    let authors = authors.into_iter().take(MERGED_AUTHORS_MAX).map(Source::author);
    let topics = topics.into_iter().map(Source::topic);
    let sources = [Source::timeline(viewer, posts)].into_iter().chain(authors).chain(topics).collect();
    newest(app, &Reader::new(Some(viewer), ViewContext::Following), sources, cursor).await
}
