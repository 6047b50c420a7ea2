//! Which posts a viewer may read, and which of those a list shows the viewer.

use std::collections::HashSet;

use base::ids::{PostId, UserId};
use futures::try_join;
use people::{follows, relationships};
use platform::{App, error::Result};

use crate::{
    GONE, Post, Reader, Visibility, find, find_eventual, key, reading::muted_words::without_muted_words,
};

/// Returns the post, as it is now or was a moment ago, when the viewer may read it.
///
/// # Errors
/// [`platform::Error::NotFound`] when there is no such post or the viewer may not read it.
pub async fn find_readable(app: &App, viewer: Option<UserId>, id: PostId) -> Result<Post> {
    let post = find_eventual(app, id).await?;
    readable(app, viewer, vec![post]).await?.pop().ok_or(GONE)
}

/// Returns the post as [`find_readable`] does, and reads what its reader mutes in the same call.
///
/// # Errors
/// [`platform::Error::NotFound`] when there is no such post or the reader may not read it.
pub(crate) async fn find_readable_by(app: &App, reader: &Reader, id: PostId) -> Result<Post> {
    let post = match reader.find_posts(app, &[key(id)]).await?.pop() {
        Some(post) => Some(post).filter(|post| !post.is_deleted).ok_or(GONE)?,
        // It may have been written a moment ago.
        None => find(app, id).await?,
    };
    readable(app, reader.viewer, vec![post]).await?.pop().ok_or(GONE)
}

/// Something that an author means for some readers.
pub trait Meant {
    /// The author.
    fn author(&self) -> UserId;
    /// Whom it is meant for.
    fn visibility(&self) -> Visibility;
}

impl Meant for Post {
    fn author(&self) -> UserId {
        self.author
    }

    fn visibility(&self) -> Visibility {
        self.visibility
    }
}

impl Meant for (UserId, Visibility) {
    fn author(&self) -> UserId {
        self.0
    }

    fn visibility(&self) -> Visibility {
        self.1
    }
}

/// Checks that the viewer may read a post, before they do something with it.
///
/// # Errors
/// [`platform::Error::NotFound`] when the viewer may not.
pub(crate) async fn check_readable(app: &App, viewer: UserId, post: &impl Meant) -> Result<()> {
    let post = (post.author(), post.visibility());
    readable(app, Some(viewer), vec![post]).await?.pop().map(drop).ok_or(GONE)
}

/// Checks that the viewer may read a post and what it shares.
///
/// # Errors
/// [`platform::Error::NotFound`] when the viewer may not.
pub(crate) async fn check_shareable(app: &App, viewer: UserId, post: &Post) -> Result<()> {
    check_readable(app, viewer, post).await?;
    match post.root() {
        root if root != post.id && *app.settings.enforce_visibility => {
            check_readable(app, viewer, &find_eventual(app, root).await?).await
        }
        _ => Ok(()),
    }
}

/// Returns the post as [`find_readable`] does, but only when it is meant for the viewer, whatever is enforced.
///
/// # Errors
/// [`platform::Error::NotFound`] when there is no such post or it is not meant for the viewer.
pub(crate) async fn find_meant(app: &App, viewer: Option<UserId>, id: PostId) -> Result<Post> {
    let post = find_eventual(app, id).await?;
    meant_for(app, viewer, vec![post]).await?.pop().ok_or(GONE)
}

/// Returns those posts that the viewer may read: all of them, unless visibility is enforced.
pub async fn readable<P: Meant>(app: &App, viewer: Option<UserId>, posts: Vec<P>) -> Result<Vec<P>> {
    match *app.settings.enforce_visibility {
        true => meant_for(app, viewer, posts).await,
        false => Ok(posts),
    }
}

/// Returns those posts that are meant for the viewer.
pub(crate) async fn meant_for<P: Meant>(app: &App, viewer: Option<UserId>, posts: Vec<P>) -> Result<Vec<P>> {
    let friends = friends_among_authors(app, viewer, &posts).await?;
    let is_meant = |post: &P| match post.visibility() {
        Visibility::Public => true,
        _ if Some(post.author()) == viewer => true,
        Visibility::Friend => friends.contains(&post.author()),
        Visibility::Private => false,
    };
    Ok(posts.into_iter().filter(is_meant).collect())
}

/// Returns the authors of posts for friends who follow the viewer and whom the viewer follows.
async fn friends_among_authors(
    app: &App,
    viewer: Option<UserId>,
    posts: &[impl Meant],
) -> Result<HashSet<UserId>> {
    let Some(viewer) = viewer else { return Ok(HashSet::new()) };
    let for_friends = posts.iter().filter(|post| post.visibility() == Visibility::Friend);
    let authors: HashSet<_> = for_friends.map(Meant::author).filter(|author| *author != viewer).collect();
    let pairs: Vec<_> = authors.iter().flat_map(|author| [(viewer, *author), (*author, viewer)]).collect();
    let follows: HashSet<_> = follows::among(app, &pairs).await?.into_iter().collect();
    let is_friend =
        |author: &UserId| follows.contains(&(viewer, *author)) && follows.contains(&(*author, viewer));
    Ok(authors.into_iter().filter(is_friend).collect())
}

/// Returns those posts whose author, and whose original's author, the reader does not hide, and that have no word which
/// the reader mutes.
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
    let hides = |who, context| {
        relationships.iter().any(|relationship| relationship.other == who && relationship.hides_in(context))
    };
    let hidden = |post: &Post| {
        hides(post.author, context) || post.origin_author.is_some_and(|who| hides(who, context.of_origins()))
    };
    posts.retain(|post| !hidden(post));
    without_muted_words(app, viewer, mutes, posts).await
}
