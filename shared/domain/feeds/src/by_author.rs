//! The posts of an author.

use base::{PostId, UserId};
use futures::try_join;
use platform::{App, Cursor, Page, Result};
use posts::{ListOwner, PostView, Reader, Source, lists::newest};

use people::{UserRef, ViewContext, relationships, unique};

/// Returns a page of a user's posts, quotes and reposts whose visibility includes the viewer. The pinned post comes
/// first, and the other posts follow, newest first. All posts show the user's current username. Only the author sees
/// hidden posts.
///
/// Returns an empty page if a block exists between the user and the viewer.
///
/// # Errors
/// Fails with [`platform::Error::NotFound`] if the user does not exist.
pub async fn by_author(
    app: &App,
    viewer: Option<UserId>,
    name: &UserRef,
    cursor: Cursor<PostId>,
) -> Result<Page<PostView>> {
    let author = unique::user_named(app, name).await?;
    let (is_blocked, owner) = try_join!(is_blocked(app, viewer, author), posts::list_owner(app, author))?;
    if is_blocked {
        return Ok(Page { rows: Vec::new(), after: None });
    }
    let pin = owner.as_ref().and_then(|owner| owner.pinned);
    let pinned = pin.map(|pin| pin.post);
    let reader = Reader::new(viewer, ViewContext::Profile);
    let first = match pinned.filter(|_| cursor.after.is_none()) {
        Some(pinned) => posts::listed(app, &reader, &[pinned]).await?.pop(),
        None => None,
    };
    // If the cursor is the pinned post, the page starts with the newest of the other posts.
    let after = cursor.after.filter(|post| Some(*post) != pinned);
    let mut sources = vec![Source::pinned(author, pinned, first)];
    if viewer == Some(author) {
        sources.push(Source::hidden(author, pinned));
    }
    let mut page = newest(app, &reader, sources, Cursor { after, ..cursor }).await?;
    if let (Some(pin), Some(head)) = (pin, page.rows.first_mut()) {
        head.pinned_at = (head.public_id == pin.post).then_some(pin.at);
    }
    if let Some(ListOwner { username, .. }) = owner {
        page.rows.iter_mut().for_each(|post| post.rename_author(author, &username));
    }
    Ok(page)
}

async fn is_blocked(app: &App, viewer: Option<UserId>, author: UserId) -> Result<bool> {
    match viewer {
        Some(viewer) => relationships::is_blocked(app, viewer, author).await,
        None => Ok(false),
    }
}
