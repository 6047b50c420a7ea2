//! A post's row: what is kept, and in which lists it is found.

use platform::{
    table::{Index, Key, Row, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{Content, MediaList, Mentions, ReplyPermission, Topic, Visibility};
use crate::{
    ids::{PostId, UserId},
    people::users::UserCard,
};

/// The four ways to post.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum PostType {
    /// On its own.
    Post,
    /// An answer to a parent post.
    Reply,
    /// Words about an original post.
    Quote,
    /// An original post, passed on.
    Repost,
}

/// A post as it is kept.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Post {
    /// Its id, public and internal.
    pub id: PostId,
    /// How it was posted.
    #[serde(rename = "type")]
    pub kind: PostType,
    /// Who wrote it.
    pub author: UserId,
    /// The author as they were then.
    pub user: UserCard,
    /// The text; none for a repost.
    pub content: Option<Content>,
    /// Files.
    pub media: MediaList,
    /// People it speaks of.
    pub mentions: Mentions,
    /// Its hashtag.
    pub topic: Option<Topic>,
    /// Whom it is meant for.
    pub visibility: Visibility,
    /// Who may reply.
    pub reply_permission: ReplyPermission,
    /// What a reply answers.
    pub parent: Option<PostId>,
    /// The post that a reply's thread began with.
    #[serde(default)]
    pub head: Option<PostId>,
    /// Who wrote that.
    #[serde(default)]
    pub head_author: Option<UserId>,
    /// What a quote or a repost is about.
    pub origin: Option<PostId>,
    /// Who wrote that.
    #[serde(default)]
    pub origin_author: Option<UserId>,
    /// The feed shard it was given.
    pub shard: u8,
    /// Hidden by a user's hand.
    pub is_ghost: bool,
    /// Hidden by moderation.
    pub is_hidden: bool,
    /// Deleted by its author.
    pub is_deleted: bool,
    /// When it was deleted.
    pub deleted_at: Option<Time>,
    /// When an administrator last decided about it; from then on no job hides it.
    pub moderated_at: Option<Time>,
    /// When it was written.
    pub created_at: Time,
    /// When it was last edited.
    pub updated_at: Time,
    /// How often it was edited.
    pub edits: i64,
    /// Likes that are counted. See [`crate::posts::likes`].
    pub likes_count: i64,
    /// How often likes were settled: tells which of them this count includes.
    pub likes_seq: i64,
    /// Replies that exist.
    pub replies_count: i64,
    /// Reposts that exist.
    pub reposts_count: i64,
    /// Quotes that exist.
    pub quotes_count: i64,
}

impl Post {
    /// Whether lists show it.
    pub fn is_listed(&self) -> bool {
        !(self.is_deleted || self.is_hidden || self.is_ghost)
    }

    /// Whether the public feed shows it.
    pub fn is_in_feed(&self) -> bool {
        self.is_listed() && self.kind == PostType::Post && self.visibility == Visibility::Public
    }

    /// The post that a quote or repost of this one is about: a repost passes on its original.
    pub fn root(&self) -> PostId {
        match self.kind {
            PostType::Repost => self.origin.unwrap_or(self.id),
            _ => self.id,
        }
    }

    /// Who wrote that original.
    pub fn root_author(&self) -> UserId {
        match self.kind {
            PostType::Repost => self.origin_author.unwrap_or(self.author),
            _ => self.author,
        }
    }

    /// Those whose words it shows.
    pub fn voices(&self) -> impl Iterator<Item = UserId> {
        [self.author].into_iter().chain(self.origin_author)
    }

    /// An update that also moves the row to the lists it belongs to as it is now.
    pub fn update(&self) -> Write {
        Write::reindex(self)
    }
}

/// Where a post's row is.
pub fn key(id: PostId) -> Key {
    Key::new(format!("POST#{id}"), "POST")
}

/// `POST#id / POST`; while it is listed: gsi1 `AUTHOR#user` or `ANSWERS#user`, gsi2 `FEED#shard` or
/// `REPLIES#parent`, gsi3 `TOPIC#tag`, each sorted by id
impl Row for Post {
    fn key(&self) -> Key {
        key(self.id)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        if !self.is_listed() {
            return Vec::new();
        }
        let by_author = match self.kind {
            PostType::Reply => format!("ANSWERS#{}", self.author),
            _ => format!("AUTHOR#{}", self.author),
        };
        let in_list = match (self.kind, self.parent) {
            (PostType::Reply, Some(parent)) => Some(format!("REPLIES#{parent}")),
            _ => self.is_in_feed().then(|| format!("FEED#{}", self.shard)),
        };
        let by_topic = self.topic.as_ref().map(|it| format!("TOPIC#{}", it.as_str()));
        let places = [(Index::Gsi1, Some(by_author)), (Index::Gsi2, in_list), (Index::Gsi3, by_topic)];
        let id = self.id.to_string();
        places.into_iter().filter_map(|(index, pk)| Some((index, Key::new(pk?, id.clone())))).collect()
    }
}
