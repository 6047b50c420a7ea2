//! FOLLOWING: the posts of the authors whom the viewer follows.

use platform::{
    App,
    error::Result,
    page::{Cursor, Page},
};

use crate::{
    ids::{PostId, UserId},
    people::{follows, relationships::Surface},
    posts::{
        Post, PostView,
        lists::{Source, newest},
    },
};

/// The number of popular authors, newest follow first, whose posts are merged when the feed is read.
const MERGED_AUTHORS_MAX: usize = 100;

/// Returns posts of the users whom the viewer follows, and the viewer's own: from the viewer's timeline,
/// merged with the posts of popular authors. At a page of 20 of 1 KB it costs 6 calls and 14.5 RRU; for each
/// popular author 1 call more, and 0.5 RRU for each 4 KB. See [`super::timelines`].
pub(super) async fn following(app: &App, viewer: UserId, cursor: Cursor<PostId>) -> Result<Page<PostView>> {
    let merged = follows::merged_by(app, viewer, MERGED_AUTHORS_MAX).await?;
    let merged = merged.into_iter().map(|author| Source::query(Post::by_author(author)));
    let sources = [Source::timeline(viewer)].into_iter().chain(merged).collect();
    newest(app, Some(viewer), sources, cursor, Surface::Following).await
}
