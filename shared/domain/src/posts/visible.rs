//! Which posts a viewer may read, and which of those a list shows the viewer.

use std::collections::HashSet;

use platform::{App, error::Result};

use super::{GONE, Post, Visibility, find_eventual};
use crate::{
    ids::{PostId, UserId},
    people::{
        follows,
        relationships::{self, Surface},
    },
};

/// Returns the post, as it is now or was a moment ago, when the viewer may read it. Costs 1 call and 0.5
/// RRU beside [`readable`].
///
/// # Errors
/// [`platform::Error::NotFound`] when there is no such post or the viewer may not read it.
pub async fn find_readable(app: &App, viewer: Option<UserId>, id: PostId) -> Result<Post> {
    let post = find_eventual(app, id).await?;
    readable(app, viewer, vec![post]).await?.pop().ok_or(GONE)
}

/// Returns those posts that the viewer may read: all of them, unless visibility is enforced. Then it
/// costs 1 call for each 100 pairs of viewer and author.
pub async fn readable(app: &App, viewer: Option<UserId>, posts: Vec<Post>) -> Result<Vec<Post>> {
    if !*app.settings.enforce_visibility {
        return Ok(posts);
    }
    let friends = friends_among_authors(app, viewer, &posts).await?;
    let may_read = |post: &Post| match post.visibility {
        Visibility::Public => true,
        _ if Some(post.author) == viewer => true,
        Visibility::Friend => friends.contains(&post.author),
        Visibility::Private => false,
    };
    Ok(posts.into_iter().filter(may_read).collect())
}

/// Returns the authors of posts for friends who follow the viewer and whom the viewer follows.
async fn friends_among_authors(app: &App, viewer: Option<UserId>, posts: &[Post]) -> Result<HashSet<UserId>> {
    let Some(viewer) = viewer else { return Ok(HashSet::new()) };
    let foreign = posts.iter().filter(|it| it.visibility == Visibility::Friend && it.author != viewer);
    let authors: HashSet<_> = foreign.map(|it| it.author).collect();
    let pairs: Vec<_> = authors.iter().flat_map(|author| [(viewer, *author), (*author, viewer)]).collect();
    let follows: HashSet<_> = follows::among(app, &pairs).await?.into_iter().collect();
    let is_friend = |it: &UserId| follows.contains(&(viewer, *it)) && follows.contains(&(*it, viewer));
    Ok(authors.into_iter().filter(is_friend).collect())
}

/// Returns those posts whose author, and whose original's author, the viewer does not hide on this
/// surface. Costs 1 call and 0.5 RRU when somebody else wrote any of them.
pub async fn visible_to(
    app: &App,
    viewer: Option<UserId>,
    mut posts: Vec<Post>,
    surface: Surface,
) -> Result<Vec<Post>> {
    let Some(viewer) = viewer else { return Ok(posts) };
    let people = posts.iter().flat_map(Post::shown_authors).filter(|it| *it != viewer).collect();
    let relationships = relationships::find_all(app, viewer, &people).await?;
    let hides = |who, surface| relationships.iter().any(|it| it.other == who && it.hides_in(surface));
    let hidden = |it: &Post| {
        hides(it.author, surface) || it.origin_author.is_some_and(|who| hides(who, surface.of_origins()))
    };
    posts.retain(|it| !hidden(it));
    Ok(posts)
}
