//! Decides which posts a viewer may read, and which posts lists contain.

use std::collections::HashSet;

use base::{PostId, UserId};
use futures::try_join;
use people::{follows, relationships};
use platform::{App, Result};

use crate::{
    GONE, Post, Reader, Visibility, find, find_eventual, key, reading::muted_words::without_muted_words,
};

/// Returns a post. The read is eventually consistent.
///
/// # Errors
/// Fails with [`platform::Error::NotFound`] if the post does not exist or the viewer may not read it.
pub async fn find_readable(app: &App, viewer: Option<UserId>, id: PostId) -> Result<Post> {
    let post = find_eventual(app, id).await?;
    readable(app, viewer, vec![post]).await?.pop().ok_or(GONE)
}

/// Does the same as [`find_readable`]. The same call also reads the reader's mutes, unless they were already read.
/// Fails with [`platform::Error::NotFound`] if the post does not exist or the reader may not read it.
pub(crate) async fn find_readable_by(app: &App, reader: &Reader, id: PostId) -> Result<Post> {
    let post = match reader.find_posts(app, &[key(id)]).await?.pop() {
        Some(post) => Some(post).filter(|post| !post.is_deleted).ok_or(GONE)?,
        // The post may have been written a moment ago, so a consistent read is needed.
        None => find(app, id).await?,
    };
    readable(app, reader.viewer, vec![post]).await?.pop().ok_or(GONE)
}

/// A post, or the parts of a post that determine which users may read the post.
pub trait Meant {
    /// Returns the author and the visibility.
    fn audience(&self) -> (UserId, Visibility);
}

impl Meant for Post {
    fn audience(&self) -> (UserId, Visibility) {
        (self.author, self.visibility)
    }
}

impl Meant for (UserId, Visibility) {
    fn audience(&self) -> (UserId, Visibility) {
        *self
    }
}

/// Checks that the viewer may read a post. Fails with [`platform::Error::NotFound`] if the viewer may not read the
/// post.
pub(crate) async fn check_readable(app: &App, viewer: UserId, post: &impl Meant) -> Result<()> {
    readable(app, Some(viewer), vec![post.audience()]).await?.pop().map(drop).ok_or(GONE)
}

/// Checks that the viewer may read a post and, if it is a repost, its original. Fails with
/// [`platform::Error::NotFound`] if the viewer may not read the post or its original. Fails with
/// [`platform::Error::Forbidden`] if a block exists between the viewer and one of their authors.
pub(crate) async fn check_shareable(app: &App, viewer: UserId, post: &Post) -> Result<()> {
    check_readable(app, viewer, post).await?;
    check_unblocked(app, viewer, post).await?;
    match post.root() {
        root if root != post.id && *app.settings.enforce_visibility => {
            check_readable(app, viewer, &find_eventual(app, root).await?).await
        }
        _ => Ok(()),
    }
}

/// Returns a post that the user may save, share or vote in. Fails with [`platform::Error::NotFound`] if the user may
/// not read the post. Fails with [`platform::Error::Forbidden`] if a block exists between the user and the author of
/// the post or its original.
pub(crate) async fn find_engageable(app: &App, user: UserId, id: PostId) -> Result<Post> {
    let post = find_readable(app, Some(user), id).await?;
    check_unblocked(app, user, &post).await?;
    Ok(post)
}

/// Checks that no block exists between the user and the author of a post. For a repost, also checks the original's
/// author. Fails with [`platform::Error::Forbidden`] if a block exists.
pub(crate) async fn check_unblocked(app: &App, user: UserId, post: &Post) -> Result<()> {
    let authors: HashSet<_> =
        [post.author, post.root_author()].into_iter().filter(|author| *author != user).collect();
    relationships::check_all_unblocked(app, user, &authors.into_iter().collect::<Vec<_>>()).await
}

/// Returns a post if its visibility includes the viewer. Checks the visibility even if `ENFORCE_VISIBILITY` is off. The
/// read is eventually consistent. Fails with [`platform::Error::NotFound`] if the post does not exist or its visibility
/// excludes the viewer.
pub(crate) async fn find_meant(app: &App, viewer: Option<UserId>, id: PostId) -> Result<Post> {
    let post = find_eventual(app, id).await?;
    meant_for(app, viewer, vec![post]).await?.pop().ok_or(GONE)
}

/// Returns the posts that the viewer may read. If `ENFORCE_VISIBILITY` is off, the viewer may read all posts.
pub async fn readable<P: Meant>(app: &App, viewer: Option<UserId>, posts: Vec<P>) -> Result<Vec<P>> {
    match *app.settings.enforce_visibility {
        true => meant_for(app, viewer, posts).await,
        false => Ok(posts),
    }
}

/// Returns the posts whose visibility includes the viewer.
pub(crate) async fn meant_for<P: Meant>(app: &App, viewer: Option<UserId>, posts: Vec<P>) -> Result<Vec<P>> {
    let friends = friends_among_authors(app, viewer, &posts).await?;
    let is_meant = |post: &P| match post.audience() {
        (_, Visibility::Public) => true,
        (author, _) if Some(author) == viewer => true,
        (author, Visibility::Friend) => friends.contains(&author),
        (_, Visibility::Private) => false,
    };
    Ok(posts.into_iter().filter(is_meant).collect())
}

/// Returns the viewer's friends among the authors of posts with visibility `FRIEND`.
async fn friends_among_authors(
    app: &App,
    viewer: Option<UserId>,
    posts: &[impl Meant],
) -> Result<HashSet<UserId>> {
    let Some(viewer) = viewer else { return Ok(HashSet::new()) };
    let for_friends =
        posts.iter().map(Meant::audience).filter(|(_, visibility)| *visibility == Visibility::Friend);
    let authors: HashSet<_> =
        for_friends.map(|(author, _)| author).filter(|author| *author != viewer).collect();
    let pairs: Vec<_> = authors.iter().flat_map(|author| [(viewer, *author), (*author, viewer)]).collect();
    let follows: HashSet<_> = follows::among(app, &pairs).await?.into_iter().collect();
    let is_friend =
        |author: &UserId| follows.contains(&(viewer, *author)) && follows.contains(&(*author, viewer));
    Ok(authors.into_iter().filter(is_friend).collect())
}

/// Removes posts that a block, mute or muted word hides from the reader. A quote or repost is also hidden if a block,
/// mute or muted word hides its original.
pub async fn visible_to(app: &App, reader: &Reader, mut posts: Vec<Post>) -> Result<Vec<Post>> {
    let (Some(viewer), context) = (reader.viewer, reader.context) else { return Ok(posts) };
    let people: HashSet<_> =
        posts.iter().flat_map(Post::shown_authors).filter(|author| *author != viewer).collect();
    let mutes = async {
        match people.is_empty() {
            true => Ok(None),
            false => reader.mutes(app).await,
        }
    };
    let (relationships, mutes) = try_join!(relationships::find_all(app, viewer, &people), mutes)?;
    let hides = |author, context| {
        relationships
            .iter()
            .any(|relationship| relationship.other == author && relationship.hides_in(context))
    };
    let hidden = |post: &Post| {
        hides(post.author, context)
            || post.origin_author.is_some_and(|author| hides(author, context.of_origins()))
    };
    posts.retain(|post| !hidden(post));
    without_muted_words(app, viewer, mutes, posts).await
}
