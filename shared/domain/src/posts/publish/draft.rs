//! What a client sends to write a post, and the post that is made of it.

use platform::App;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::{
    ids::PostId,
    people::users::User,
    posts::{
        Content, MediaDrafts, MediaList, Mentions, Post, PostType, ReplyPermission, Visibility, feed_index,
    },
    topic::Topic,
};

/// A post to be written.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PostDraft)]
pub struct Draft {
    /// The text.
    pub content: Content,
    /// Uploads of the author. Those that are not ready are shown when they are.
    pub media: Option<MediaDrafts>,
    /// The users whom the post mentions, by either id.
    pub mentions: Option<Mentions>,
    /// The hashtag; by default the first of the text.
    pub topic: Option<Topic>,
    /// The audience.
    pub visibility: Option<Visibility>,
    /// The users who may reply.
    pub reply_permission: Option<ReplyPermission>,
}

/// A reply to be written: the same fields as a post's.
pub type ReplyDraft = Draft;

/// A quote to be written: the same fields as a post's.
pub type QuoteDraft = Draft;

/// Makes a post of a draft and its files.
pub(super) fn drafted_post(
    app: &App,
    author: &User,
    kind: PostType,
    (draft, media): (Draft, MediaList),
) -> Post {
    let topic = draft.topic.or_else(|| draft.content.first_topic());
    Post {
        kind,
        media,
        mentions: draft.mentions.unwrap_or_default(),
        topic,
        visibility: draft.visibility.unwrap_or_default(),
        reply_permission: draft.reply_permission.unwrap_or_default(),
        content: Some(draft.content),
        ..blank_post(app, author)
    }
}

/// Makes a repost of a post, or of its original when it is a repost itself.
pub(super) fn repost_of(app: &App, author: &User, shared: &Post) -> Post {
    let (origin, origin_author) = (Some(shared.root()), Some(shared.root_author()));
    Post { kind: PostType::Repost, origin, origin_author, ..blank_post(app, author) }
}

fn blank_post(app: &App, author: &User) -> Post {
    let now = app.now();
    let id: PostId = app.ids.next(now);
    Post {
        id,
        kind: PostType::Post,
        author: author.id,
        user: author.card(),
        content: None,
        media: MediaList::default(),
        mentions: Mentions::default(),
        topic: None,
        visibility: Visibility::default(),
        reply_permission: ReplyPermission::default(),
        parent: None,
        head: None,
        head_author: None,
        origin: None,
        origin_author: None,
        shard: feed_index::shard_of(app, id),
        is_ghost: false,
        is_hidden: false,
        is_deleted: false,
        deleted_at: None,
        moderated_at: None,
        created_at: now,
        updated_at: now,
        edits: 0,
        likes_count: 0,
        likes_seq: 0,
        replies_count: 0,
        reposts_count: 0,
        quotes_count: 0,
    }
}
