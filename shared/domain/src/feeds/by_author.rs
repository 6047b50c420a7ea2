//! The posts of one author.

use platform::{
    App,
    error::Result,
    page::{Cursor, Page},
};

use crate::{
    ids::{PostId, UserId},
    people::{
        relationships::{self, Surface},
        unique,
        users::Username,
    },
    posts::{Post, PostView, Source, lists::newest},
};

/// Returns a user's posts, quotes and reposts that are meant for the viewer, newest first; an empty page when a block
/// stands between the user and the viewer. Costs 5 calls and 7.5 RRU at a page of 20 of 1 KB, signed in.
///
/// # Errors
/// [`platform::Error::NotFound`] when there is no such user.
pub async fn by_author(
    app: &App,
    viewer: Option<UserId>,
    name: &Username,
    cursor: Cursor<PostId>,
) -> Result<Page<PostView>> {
    let author = unique::user_named(app, name).await?;
    if let Some(viewer) = viewer
        && relationships::is_blocked(app, viewer, author).await?
    {
        return Ok(Page { rows: Vec::new(), after: None });
    }
    newest(app, viewer, vec![Source::query(Post::by_author(author))], cursor, Surface::Profile).await
}
