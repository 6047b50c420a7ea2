//! Reading one post, and what stands above and below it.

use platform::{
    App, Result,
    page::{Cursor, Page},
    table::Index,
};
use serde::Serialize;
use utoipa::ToSchema;

use super::{GONE, Post, PostView, find, find_eventual, key, readable, view, views};
use crate::{
    ids::{PostId, UserId},
    people::relationships::Surface,
    posts::lists::{Source, newest},
};

/// How far up a thread is followed.
const ANCESTORS_MAX: usize = 20;

/// A post in its thread.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Thread {
    /// What it answers, the topmost first; deleted posts are left out. At most 20.
    pub ancestors: Vec<PostView>,
    /// The post itself, with its origin.
    pub post: PostView,
}

/// A post as the viewer sees it. 2 calls, 2 RRU beside the session's; 2 calls more for an original.
///
/// # Errors
/// [`platform::Error::NotFound`] when it does not exist.
pub async fn detail(app: &App, viewer: Option<UserId>, id: PostId) -> Result<PostView> {
    let post = readable(app, viewer, vec![find(app, id).await?]).await?.pop().ok_or(GONE)?;
    view(app, viewer, post).await
}

/// A post with what stands above it. 1 call and 0.5 RRU for each level, at most 20, and 3 for views.
///
/// # Errors
/// [`platform::Error::NotFound`] when it does not exist.
pub async fn context(app: &App, viewer: Option<UserId>, id: PostId) -> Result<Thread> {
    let post = readable(app, viewer, vec![find(app, id).await?]).await?.pop().ok_or(GONE)?;
    let ancestors = readable(app, viewer, ancestors(app, &post).await?).await?;
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

/// A post's replies, newest first. 4 calls at a page of 20 of 1 KB: 6 RRU and 0.5 for the parent.
///
/// # Errors
/// [`platform::Error::NotFound`] when the post does not exist.
pub async fn replies(
    app: &App,
    viewer: Option<UserId>,
    parent: PostId,
    cursor: Cursor<PostId>,
) -> Result<Page<PostView>> {
    let parent = readable(app, viewer, vec![find_eventual(app, parent).await?]).await?.pop().ok_or(GONE)?;
    let source = Source::new(Index::Gsi2, format!("REPLIES#{}", parent.id));
    newest(app, viewer, vec![source], cursor, Surface::Thread).await
}
