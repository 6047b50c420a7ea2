//! What a viewer sees of a list of posts: nothing by or about somebody whom they do not see there.

use platform::{App, error::Result};

use super::Post;
use crate::{
    ids::UserId,
    people::relationships::{self, Surface},
};

/// Those posts that nothing hides from the viewer: by nobody, and about nobody, that they do not see.
/// 1 call and 0.5 RRU where somebody else wrote any of them.
///
/// # Errors
/// Internal only.
pub async fn visible_to(
    app: &App,
    viewer: Option<UserId>,
    mut posts: Vec<Post>,
    surface: Surface,
) -> Result<Vec<Post>> {
    let Some(viewer) = viewer else { return Ok(posts) };
    let people = posts.iter().flat_map(Post::voices).filter(|it| *it != viewer).collect();
    let relationships = relationships::find_all(app, viewer, &people).await?;
    let hides = |who, surface| relationships.iter().any(|it| it.other == who && it.hides_in(surface));
    let hidden = |it: &Post| {
        hides(it.author, surface) || it.origin_author.is_some_and(|who| hides(who, surface.of_origins()))
    };
    posts.retain(|it| !hidden(it));
    Ok(posts)
}
