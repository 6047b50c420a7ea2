//! What one person wrote.

use crate::{
    App, accounts,
    blocks::{self, Place},
    error::Result,
    ids::{PostId, UserId},
    lists::{Source, newest},
    page::{Cursor, Page},
    posts::PostView,
    users::Username,
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
    let author = accounts::user_named(app, name).await?;
    if let Some(viewer) = viewer
        && blocks::between(app, viewer, author).await?
    {
        return Ok(Page { rows: Vec::new(), after: None });
    }
    newest(app, viewer, vec![Source::by_author(author)], cursor, Place::Thread).await
}
