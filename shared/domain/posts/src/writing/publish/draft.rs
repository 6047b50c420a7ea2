//! What a client sends to write a post, and the post that is made of it.

use base::{ids::PostId, topic::Topic};
use people::users::User;
use platform::{App, decode::Object};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    Content, MediaDrafts, MediaList, Mentions, PollDraft, Post, PostType, ReplyPermission, Spoiler,
    Visibility,
    counting::{feed_index, likes::OpenPage},
};

/// A post to be written.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PostDraft)]
pub struct Draft {
    /// The text.
    pub content: Content,
    /// True to warn readers of its text and files.
    #[serde(default)]
    pub sensitive: bool,
    /// What readers are told before they open it.
    pub spoiler: Option<Spoiler>,
    /// Uploads of the author. Those that are not ready are shown when they are.
    pub media: Option<MediaDrafts>,
    /// A poll.
    #[schema(value_type = Option<PollDraft>)]
    pub poll: Option<Object<PollDraft>>,
    /// The users whom the post mentions, by either id.
    pub mentions: Option<Mentions>,
    /// The hashtag; by default the first of the text.
    pub topic: Option<Topic>,
    /// The audience.
    pub visibility: Option<Visibility>,
    /// The users who may reply.
    pub reply_permission: Option<ReplyPermission>,
    /// The users who may quote it.
    pub quote_permission: Option<ReplyPermission>,
}

/// A reply to be written: the same fields as a post's.
pub type ReplyDraft = Draft;

/// A quote to be written: the same fields as a post's.
pub type QuoteDraft = Draft;

/// What is written: a post on its own, or one about another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Target {
    /// A post on its own.
    Post,
    /// An answer to this post.
    Reply(PostId),
    /// A text about this post.
    Quote(PostId),
}

impl Draft {
    /// Returns a text of which nothing else is said.
    pub(crate) fn of(content: Content) -> Self {
        Self {
            content,
            sensitive: false,
            spoiler: None,
            media: None,
            poll: None,
            mentions: None,
            topic: None,
            visibility: None,
            reply_permission: None,
            quote_permission: None,
        }
    }
}

/// Makes a post of a draft and its files.
pub(super) fn drafted_post(
    app: &App,
    author: &User,
    kind: PostType,
    (draft, media): (Draft, MediaList),
) -> Post {
    let topic = draft.topic.or_else(|| draft.content.first_topic());
    let blank = blank_post(app, author);
    Post {
        kind,
        media,
        poll: draft.poll.map(|Object(poll)| poll.begun(blank.created_at)),
        mentions: draft.mentions.unwrap_or_default(),
        topic,
        visibility: draft.visibility.unwrap_or_default(),
        reply_permission: draft.reply_permission.unwrap_or_default(),
        quote_permission: draft.quote_permission.unwrap_or_default(),
        sensitive: draft.sensitive,
        spoiler: draft.spoiler.and_then(Spoiler::said),
        content: Some(draft.content),
        ..blank
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
        sensitive: false,
        spoiler: None,
        media: MediaList::default(),
        poll: None,
        preview: None,
        mentions: Mentions::default(),
        topic: None,
        visibility: Visibility::default(),
        reply_permission: ReplyPermission::default(),
        quote_permission: ReplyPermission::default(),
        parent: None,
        head: None,
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
        likers: OpenPage::default(),
        replies_count: 0,
        reposts_count: 0,
        quotes_count: 0,
    }
}
