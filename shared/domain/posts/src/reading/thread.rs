//! A post with its ancestors (the posts that it replies to) and its replies.

use base::{PostId, UserId};
use people::ViewContext;
use platform::{App, Cursor, Page, Result};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    GONE, Post, PostView, Reader, Source, find, key, meant_for, readable,
    reading::{lists::newest, view::views, visible::find_readable_by},
    view, visible_to,
};

const ANCESTORS_MAX: usize = 20;

/// A post in its thread.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = PostThread)]
pub struct Thread {
    /// Up to 20 ancestors, topmost first. Omits deleted posts, and posts whose visibility excludes the viewer. Also
    /// omits posts by authors that the viewer blocks, or that block the viewer.
    pub ancestors: Vec<PostView>,
    /// The post, with its original.
    pub post: PostView,
}

/// Returns a post as the viewer sees it.
///
/// # Errors
/// Fails with [`platform::Error::NotFound`] if the post does not exist or the viewer may not read it.
pub async fn detail(app: &App, viewer: Option<UserId>, id: PostId) -> Result<PostView> {
    let post = readable(app, viewer, vec![find(app, id).await?]).await?.pop().ok_or(GONE)?;
    view(app, viewer, post).await
}

/// Returns a post with its ancestors. See [`Thread`].
///
/// # Errors
/// Fails with [`platform::Error::NotFound`] if the post does not exist or its visibility excludes the viewer.
pub async fn context(app: &App, viewer: Option<UserId>, id: PostId) -> Result<Thread> {
    let post = meant_for(app, viewer, vec![find(app, id).await?]).await?.pop().ok_or(GONE)?;
    let ancestors = meant_for(app, viewer, ancestors(app, &post).await?).await?;
    let ancestors = visible_to(app, &Reader::new(viewer, ViewContext::Ancestors), ancestors).await?;
    let mut all = views(app, viewer, ancestors.into_iter().chain([post]).collect()).await?;
    let post = all.pop().ok_or(GONE)?;
    Ok(Thread { ancestors: all, post })
}

async fn ancestors(app: &App, post: &Post) -> Result<Vec<Post>> {
    let mut above = Vec::new();
    let mut next = post.parent;
    for _ in 0..ANCESTORS_MAX {
        let Some(parent) = next else { break };
        let Some(parent) = app.table.get_eventual::<Post>(&key(parent)).await? else { break };
        next = parent.parent;
        if !parent.is_deleted {
            above.push(parent);
        }
    }
    above.reverse();
    Ok(above)
}

/// Returns a page of the replies to a post, newest first.
///
/// # Errors
/// Fails with [`platform::Error::NotFound`] if the post does not exist or the viewer may not read it.
pub async fn replies(
    app: &App,
    viewer: Option<UserId>,
    parent: PostId,
    cursor: Cursor<PostId>,
) -> Result<Page<PostView>> {
    let reader = Reader::new(viewer, ViewContext::Thread);
    let parent = find_readable_by(app, &reader, parent).await?;
    let source = Source::query(Post::replies_to(parent.id));
    newest(app, &reader, vec![source], cursor).await
}
