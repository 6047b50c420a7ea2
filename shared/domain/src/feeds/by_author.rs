//! What one person wrote.

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
    posts::{
        PostView,
        lists::{Source, newest},
    },
};

/// What a person wrote, quoted and reposted, newest first; nothing, where a block stands between them
/// and the viewer. 5 calls and 7.5 RRU at a page of 20 of 1 KB, signed in, beside the session's.
///
/// # Errors
/// [`Error::NotFound`] for nobody.
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
    newest(app, viewer, vec![Source::by_author(author)], cursor, Surface::Thread).await
}
