//! Posts as a viewer sees them.

use std::collections::{HashMap, HashSet};

use base::{PostId, Topic, UserId};
use people::{UserCard, Username};
use platform::{App, Page, Result, Time};
use serde::Serialize;
use utoipa::ToSchema;

use crate::{
    GONE, MediaView, Post, PostType, PublicMentions, ReplyPermission, Spoiler, Visibility,
    counting::{
        engagements::{self, Engagement},
        likes::{self, Liked},
    },
    key,
    polls::{self, PollView},
    previews::PreviewView,
    reading::visible::meant_for,
};

/// A post as a viewer sees it.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = Post)]
#[serde(rename_all = "camelCase", tag = "kind", rename = "POST")]
pub struct PostView {
    /// The post's ID, which is also its cursor in lists.
    pub public_id: PostId,
    /// Post, reply, quote or repost.
    #[serde(rename = "type")]
    pub kind: PostType,
    /// The text. Empty for a repost.
    pub content: String,
    /// Whether clients show a warning before the text and files.
    pub sensitive: bool,
    /// Text of the warning that hides the post until the reader opens the post.
    pub spoiler: Option<Spoiler>,
    /// The attached files, including files that are not ready yet.
    pub media: Vec<MediaView>,
    /// The poll. Null if the post has none.
    pub poll: Option<PollView>,
    /// Preview of the first link. Null if there is no link or no preview. Also null for some seconds after the post is
    /// created.
    pub preview: Option<PreviewView>,
    /// IDs of the mentioned users, at most 5.
    #[schema(max_items = 5)]
    pub mentions: PublicMentions,
    /// The hashtag. Null if the post has none.
    pub topic: Option<Topic>,
    /// The users who may see the post.
    pub visibility: Visibility,
    /// The users who may reply.
    pub reply_permission: ReplyPermission,
    /// Whether moderators locked the replies. While they are locked, only the author can reply.
    pub replies_locked: bool,
    /// The users who may quote the post.
    pub quote_permission: ReplyPermission,
    /// The parent of a reply. Null for other posts.
    pub parent_public_id: Option<PostId>,
    /// The original of a quote or repost. Null for other posts.
    pub origin_public_id: Option<PostId>,
    /// The same as `originPublicId`.
    pub origin_post_id: Option<PostId>,
    /// The original, without its own `origin`. Null if the original was deleted, is hidden by moderation, or has a
    /// visibility that excludes the viewer.
    #[schema(no_recursion)]
    pub origin: Option<Box<PostView>>,
    /// The author's name, avatar and verification mark when the post was written.
    pub user: UserCard,
    /// The number of likes. Includes the viewer's own like immediately.
    pub likes_count: i64,
    /// The number of replies that exist.
    pub replies_count: i64,
    /// The number of reposts that exist.
    pub reposts_count: i64,
    /// The number of quotes that exist.
    pub quotes_count: i64,
    /// Whether the viewer likes the post.
    pub is_liked: bool,
    /// Whether the viewer quoted the post.
    pub is_quoted: bool,
    /// Whether the viewer reposted the post.
    pub is_reposted: bool,
    /// Whether the viewer saved the post.
    pub is_saved: bool,
    /// Whether another user hid the post from everyone's lists.
    pub is_ghost: bool,
    /// Whether moderation hid the post from lists.
    pub is_hidden: bool,
    /// Whether the post was deleted.
    pub is_deleted: bool,
    /// The time of the deletion.
    pub deleted_at: Option<Time>,
    /// The time of writing.
    pub created_at: Time,
    /// The time of the last edit.
    pub updated_at: Time,
    /// Time at which the post was pinned. Only the list of the author's posts sets this field, and only for the pinned
    /// post.
    pub pinned_at: Option<Time>,
}

impl PostView {
    /// Sets the author's username if `author` wrote the post. Does the same with the post's original.
    pub fn rename_author(&mut self, author: UserId, username: &Username) {
        if self.user.public_id == author.public() {
            self.user.username = username.clone();
        }
        if let Some(origin) = &mut self.origin {
            origin.rename_author(author, username);
        }
    }
}

/// Returns one post as the viewer sees it.
pub async fn view(app: &App, viewer: Option<UserId>, post: Post) -> Result<PostView> {
    let mut views = views(app, viewer, vec![post]).await?;
    views.pop().ok_or(GONE)
}

/// Returns a new post as its author sees it. Reads no engagements, because a new post has none.
pub async fn view_of_new(app: &App, post: Post) -> Result<PostView> {
    let author = Some(post.author);
    let mut views = views_with(app, author, vec![post], async { Ok(HashMap::new()) }).await?;
    views.pop().ok_or(GONE)
}

/// Returns posts as the viewer sees them, in the same order.
pub(crate) async fn views(app: &App, viewer: Option<UserId>, posts: Vec<Post>) -> Result<Vec<PostView>> {
    let ids: Vec<_> = posts.iter().map(|post| post.id).collect();
    views_with(app, viewer, posts, engagements::of_page(app, viewer, &ids)).await
}

/// Returns a page of posts as the viewer sees them.
pub async fn view_page(app: &App, viewer: Option<UserId>, page: Page<Post>) -> Result<Page<PostView>> {
    Ok(Page { rows: views(app, viewer, page.rows).await?, after: page.after })
}

/// Returns the same views as [`views`], but uses the given `engagements`.
async fn views_with(
    app: &App,
    viewer: Option<UserId>,
    posts: Vec<Post>,
    engagements: impl Future<Output = Result<HashMap<PostId, Engagement>>>,
) -> Result<Vec<PostView>> {
    let origin_ids: HashSet<_> = posts.iter().filter_map(|post| post.origin).collect();
    let origin_ids: Vec<_> = origin_ids.into_iter().collect();
    let origins = origins(app, viewer, &origin_ids);
    let origin_engagements = engagements::of_posts(app, viewer, &origin_ids);
    let (engagements, origins, origin_engagements) =
        futures::try_join!(engagements, origins, origin_engagements)?;
    let polls = polls::seen_by(app, viewer, posts.iter().chain(origins.values())).await?;
    let with_poll = |view: PostView| PostView { poll: polls.get(&view.public_id).cloned(), ..view };
    let origin = |id: PostId| {
        let origin = origins.get(&id)?.clone();
        Some(Box::new(with_poll(assemble(origin, origin_engagements.get(&id), None))))
    };
    let posts = posts.into_iter().map(|post| {
        let (engagement, origin) = (engagements.get(&post.id), post.origin.and_then(origin));
        with_poll(assemble(post, engagement, origin))
    });
    Ok(posts.collect())
}

async fn origins(app: &App, viewer: Option<UserId>, ids: &[PostId]) -> Result<HashMap<PostId, Post>> {
    let keys: Vec<_> = ids.iter().map(|id| key(*id)).collect();
    let posts: Vec<Post> = app.table.batch_get_eventual(&keys).await?;
    let shown = posts.into_iter().filter(|post| !post.is_deleted && !post.is_hidden).collect();
    let meant = meant_for(app, viewer, shown).await?;
    Ok(meant.into_iter().map(|post| (post.id, post)).collect())
}

fn assemble(post: Post, engagement: Option<&Engagement>, origin: Option<Box<PostView>>) -> PostView {
    let Liked { is_liked, likes_count } = likes::seen_by(&post, engagement);
    PostView {
        public_id: post.id,
        kind: post.kind,
        content: post.content.map(|content| content.as_str().to_owned()).unwrap_or_default(),
        sensitive: post.sensitive,
        spoiler: post.spoiler,
        media: post.media.into_views(),
        poll: None,
        preview: post.preview.map(PreviewView::from),
        mentions: post.mentions.public(),
        topic: post.topic,
        visibility: post.visibility,
        reply_permission: post.reply_permission,
        replies_locked: post.is_locked,
        quote_permission: post.quote_permission,
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
        is_quoted: engagement.is_some_and(|engagement| engagement.quotes > 0),
        is_reposted: engagement.is_some_and(|engagement| engagement.repost.is_some()),
        is_saved: engagement.is_some_and(|engagement| engagement.saved),
        is_ghost: post.is_ghost,
        is_hidden: post.is_hidden,
        is_deleted: post.is_deleted,
        deleted_at: post.deleted_at,
        created_at: post.created_at,
        updated_at: post.updated_at,
        pinned_at: None,
    }
}
