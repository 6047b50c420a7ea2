//! Posts as a viewer sees them.

use std::collections::{HashMap, HashSet};

use platform::{App, Result, time::Time};
use serde::Serialize;
use utoipa::ToSchema;

use super::{MediaList, Mentions, Post, PostType, ReplyPermission, Topic, Visibility, key};
use crate::{
    ids::{PostId, UserId},
    people::{follows, users::UserCard},
    posts::{
        engagements::{self, Engagement},
        likes::{self, Liked},
    },
};

/// A post, with what the viewer did with it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PostView {
    /// The post's id, and its cursor.
    pub public_id: PostId,
    /// How it was posted.
    #[serde(rename = "type")]
    pub kind: PostType,
    /// The text; empty for a repost.
    pub content: String,
    /// Files.
    pub media: MediaList,
    /// Ids of the people it speaks of.
    pub mentions: Mentions,
    /// Its hashtag.
    pub topic: Option<Topic>,
    /// Whom it is meant for.
    pub visibility: Visibility,
    /// Who may reply.
    pub reply_permission: ReplyPermission,
    /// What a reply answers.
    pub parent_public_id: Option<PostId>,
    /// What a quote or repost is about.
    pub origin_public_id: Option<PostId>,
    /// The same id again.
    pub origin_post_id: Option<PostId>,
    /// The original itself, one level deep; null when it was deleted.
    #[schema(no_recursion)]
    pub origin: Option<Box<PostView>>,
    /// The author as they were when it was written.
    pub user: UserCard,
    /// Likes; the viewer's own is counted at once.
    pub likes_count: i64,
    /// Replies that exist.
    pub replies_count: i64,
    /// Reposts that exist.
    pub reposts_count: i64,
    /// Quotes that exist.
    pub quotes_count: i64,
    /// Whether the viewer likes it.
    pub is_liked: bool,
    /// Whether the viewer quoted it.
    pub is_quoted: bool,
    /// Whether a user hid it from lists.
    pub is_ghost: bool,
    /// Whether moderation hid it from lists.
    pub is_hidden: bool,
    /// Whether its author deleted it.
    pub is_deleted: bool,
    /// When.
    pub deleted_at: Option<Time>,
    /// When it was written.
    pub created_at: Time,
    /// When it was last edited.
    pub updated_at: Time,
}

/// One post as the viewer sees it. At most 2 calls more than the post: see [`views`].
///
/// # Errors
/// Internal only.
pub async fn view(app: &App, viewer: Option<UserId>, post: Post) -> Result<PostView> {
    let mut views = views(app, viewer, vec![post]).await?;
    views.pop().ok_or(super::GONE)
}

/// A post as its author is told of it: nobody has done anything with it yet. No calls but those for
/// an original.
///
/// # Errors
/// Internal only.
pub async fn view_of_new(app: &App, post: Post) -> Result<PostView> {
    let author = Some(post.author);
    let mut views = views_with(app, author, vec![post], async { Ok(HashMap::new()) }).await?;
    views.pop().ok_or(super::GONE)
}

/// Posts as the viewer sees them, in the same order. For a signed-in viewer 1 call and 1 RRU for
/// the page; where it has quotes or reposts, 2 calls more, 0.5 and 1 RRU for each original.
///
/// # Errors
/// Internal only.
pub async fn views(app: &App, viewer: Option<UserId>, posts: Vec<Post>) -> Result<Vec<PostView>> {
    let ids: Vec<_> = posts.iter().map(|it| it.id).collect();
    views_with(app, viewer, posts, engagements_of_page(app, viewer, &ids)).await
}

/// As [`views`], for a page whose engagements are at hand or on their way.
///
/// # Errors
/// Internal only.
pub async fn views_with(
    app: &App,
    viewer: Option<UserId>,
    posts: Vec<Post>,
    mine: impl Future<Output = Result<HashMap<PostId, Engagement>>>,
) -> Result<Vec<PostView>> {
    let origin_ids: HashSet<_> = posts.iter().filter_map(|it| it.origin).collect();
    let origin_ids: Vec<_> = origin_ids.into_iter().collect();
    let origins = origins(app, viewer, &origin_ids);
    let (mine, origins, mine_of_origins) =
        futures::try_join!(mine, origins, engagements_with(app, viewer, &origin_ids))?;
    let origin = |id: PostId| {
        let origin = origins.get(&id)?.clone();
        Some(Box::new(assemble(origin, mine_of_origins.get(&id), None)))
    };
    let posts = posts.into_iter().map(|post| {
        let (mine, origin) = (mine.get(&post.id), post.origin.and_then(origin));
        assemble(post, mine, origin)
    });
    Ok(posts.collect())
}

/// Those posts that the viewer may read: all of them, unless visibility is enforced; then 1 call for
/// each 100 pairs of people.
///
/// # Errors
/// Internal only.
pub async fn readable(app: &App, viewer: Option<UserId>, posts: Vec<Post>) -> Result<Vec<Post>> {
    if !*app.settings.enforce_visibility {
        return Ok(posts);
    }
    let foreign = posts.iter().filter(|it| it.visibility == Visibility::Friend && Some(it.author) != viewer);
    let pairs: HashSet<_> = (foreign.map(|it| it.author))
        .flat_map(|author| viewer.map(|it| [(it, author), (author, it)]))
        .flatten()
        .collect();
    let pairs: Vec<_> = pairs.into_iter().collect();
    let follows: HashSet<_> = follows::among(app, &pairs).await?.into_iter().collect();
    let friends =
        |author| viewer.is_some_and(|it| follows.contains(&(it, author)) && follows.contains(&(author, it)));
    let may_read = |post: &Post| match post.visibility {
        Visibility::Public => true,
        _ if Some(post.author) == viewer => true,
        Visibility::Friend => friends(post.author),
        Visibility::Private => false,
    };
    Ok(posts.into_iter().filter(may_read).collect())
}

async fn origins(app: &App, viewer: Option<UserId>, ids: &[PostId]) -> Result<HashMap<PostId, Post>> {
    let keys: Vec<_> = ids.iter().map(|it| key(*it)).collect();
    let posts: Vec<Post> = app.table.batch_get_eventual(&keys).await?;
    let alive = posts.into_iter().filter(|it| !it.is_deleted).collect();
    let readable = readable(app, viewer, alive).await?;
    Ok(readable.into_iter().map(|it| (it.id, it)).collect())
}

/// The viewer's engagements with a page; none for nobody. 1 call, 1 RRU for each 4 KB.
///
/// # Errors
/// Internal only.
pub async fn engagements_of_page(
    app: &App,
    viewer: Option<UserId>,
    ids: &[PostId],
) -> Result<HashMap<PostId, Engagement>> {
    match viewer {
        Some(viewer) => engagements::of_page(app, viewer, ids).await,
        None => Ok(HashMap::new()),
    }
}

async fn engagements_with(
    app: &App,
    viewer: Option<UserId>,
    ids: &[PostId],
) -> Result<HashMap<PostId, Engagement>> {
    let pairs: Vec<_> = ids.iter().filter_map(|id| Some((viewer?, *id))).collect();
    let found = engagements::find_all(app, &pairs).await?;
    Ok(found.into_iter().map(|it| (it.post, it)).collect())
}

fn assemble(post: Post, mine: Option<&Engagement>, origin: Option<Box<PostView>>) -> PostView {
    let Liked { is_liked, likes_count } = likes::seen_by(&post, mine);
    PostView {
        public_id: post.id,
        kind: post.kind,
        content: post.content.map(|it| it.as_str().to_owned()).unwrap_or_default(),
        media: post.media,
        mentions: post.mentions,
        topic: post.topic,
        visibility: post.visibility,
        reply_permission: post.reply_permission,
        parent_public_id: post.parent,
        origin_public_id: post.origin,
        origin_post_id: post.origin,
        origin,
        user: post.user,
        likes_count,
        replies_count: post.replies_count,
        reposts_count: post.reposts_count,
        quotes_count: post.quotes_count,
        is_liked,
        is_quoted: mine.is_some_and(|it| it.quotes > 0),
        is_ghost: post.is_ghost,
        is_hidden: post.is_hidden,
        is_deleted: post.is_deleted,
        deleted_at: post.deleted_at,
        created_at: post.created_at,
        updated_at: post.updated_at,
    }
}
