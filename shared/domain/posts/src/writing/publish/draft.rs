//! The request body of a new post, and its conversion to a [`Post`].

use base::{PostId, Topic, UserId};
use people::User;
use platform::{App, Result};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    Content, MediaDrafts, MediaList, MentionRefs, Mentions, PollDraft, Post, PostType, ReplyPermission,
    Spoiler, Visibility,
    counting::{feed_index, likes::OpenSegment},
};

/// The fields of a new post. `M` is the type of the mentions, which differs between requests, rows and responses.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PostDraft, description = "The request body of a new post.")]
pub struct Draft<M = Mentions> {
    /// The text.
    pub content: Content,
    /// True to show a warning before the text and files.
    #[serde(default)]
    pub sensitive: bool,
    /// Text of the warning that hides the post until the reader opens the post.
    pub spoiler: Option<Spoiler>,
    /// Uploads of the author. The post can be created while an upload is still being processed.
    pub media: Option<MediaDrafts>,
    /// A poll.
    pub poll: Option<PollDraft>,
    /// The mentioned users. Requests accept usernames and IDs, and responses contain public IDs.
    pub mentions: Option<M>,
    /// The hashtag. The default is the first hashtag in the text.
    pub topic: Option<Topic>,
    /// The audience.
    pub visibility: Option<Visibility>,
    /// The users who may reply.
    pub reply_permission: Option<ReplyPermission>,
    /// The users who may quote the post.
    pub quote_permission: Option<ReplyPermission>,
}

/// The request body of a new post.
pub type PostDraft = Draft<MentionRefs>;

/// The request body of a new reply.
pub type ReplyDraft = PostDraft;

/// The request body of a new quote.
pub type QuoteDraft = PostDraft;

/// The kind of post that a draft becomes when it is published.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Target {
    /// A standalone post.
    Post,
    /// A reply to this post.
    Reply(PostId),
    /// A quote of this post.
    Quote(PostId),
}

impl PostDraft {
    /// Returns the draft with the IDs of the mentioned users. Fails for the same reasons as [`MentionRefs::resolve`].
    pub(super) async fn resolve(self, app: &App) -> Result<Draft> {
        let mentions = match &self.mentions {
            Some(mentions) => Some(mentions.resolve(app).await?),
            None => None,
        };
        Ok(self.with_mentions(mentions))
    }
}

impl<M> Draft<M> {
    pub(crate) fn with_mentions<N>(self, mentions: Option<N>) -> Draft<N> {
        Draft {
            content: self.content,
            sensitive: self.sensitive,
            spoiler: self.spoiler,
            media: self.media,
            poll: self.poll,
            mentions,
            topic: self.topic,
            visibility: self.visibility,
            reply_permission: self.reply_permission,
            quote_permission: self.quote_permission,
        }
    }
}

impl Draft {
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

    /// Returns the mentioned users.
    pub(crate) fn mentioned(&self) -> &[UserId] {
        self.mentions.as_ref().map_or(&[], Mentions::users)
    }

    /// Returns the draft with empty lists of files and mentions instead of `None`.
    pub(crate) fn with_lists(mut self) -> Self {
        self.media.get_or_insert_default();
        self.mentions.get_or_insert_default();
        self
    }
}

/// Builds a post from a draft and its files.
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
        poll: draft.poll.map(|poll| poll.start(blank.created_at)),
        mentions: draft.mentions.unwrap_or_default(),
        topic,
        visibility: draft.visibility.unwrap_or_default(),
        reply_permission: draft.reply_permission.unwrap_or_default(),
        quote_permission: draft.quote_permission.unwrap_or_default(),
        sensitive: draft.sensitive,
        spoiler: draft.spoiler.and_then(Spoiler::non_empty),
        content: Some(draft.content),
        ..blank
    }
}

/// Builds a repost of `shared`, or of its original if `shared` is a repost.
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
        is_labeled: false,
        spoiler: None,
        media: MediaList::default(),
        poll: None,
        preview: None,
        mentions: Mentions::default(),
        topic: None,
        visibility: Visibility::default(),
        reply_permission: ReplyPermission::default(),
        is_locked: false,
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
        likers: OpenSegment::default(),
        replies_count: 0,
        reposts_count: 0,
        quotes_count: 0,
    }
}
