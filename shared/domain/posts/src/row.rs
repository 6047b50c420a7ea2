//! The row of a post, and the index keys that determine which lists contain the post.

use base::{PostId, Topic, UserId};
use people::{PostText, UserCard};
use platform::{Index, Key, Query, Row, Time, Write};
use serde::{Deserialize, Serialize};

use crate::{
    Content, MediaList, Mentions, PollOption, PostType, Question, ReplyPermission, Spoiler, Visibility,
    counting::likes::OpenSegment,
    previews::Preview,
    reading::partitions::{
        answers_partition, author_partition, feed_partition, hidden_partition, partition, quotes_partition,
        replies_partition, reposts_partition, topic_partition, unlisted_partition, unlisted_shares_partition,
    },
};

/// A stored post.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Post {
    /// The post's ID, both public and internal.
    pub id: PostId,
    /// Post, reply, quote or repost.
    #[serde(rename = "type")]
    pub kind: PostType,
    /// The author, or `UserId::NONE` after the author deleted their account.
    pub author: UserId,
    /// The author's name, avatar and verification mark when the post was written.
    pub user: UserCard,
    /// The text, or `None` for a repost.
    pub content: Option<Content>,
    /// Whether clients show a warning before the text and files.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sensitive: bool,
    /// Whether a moderator set `sensitive`, so that the author cannot unset it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_labeled: bool,
    /// Text of the warning that hides the post until the reader opens the post.
    pub spoiler: Option<Spoiler>,
    /// The attached files.
    pub media: MediaList,
    /// The poll, or `None` if the post has none.
    pub poll: Option<Question>,
    /// Preview of the first link, or `None` if there is no preview, or the preview has not been fetched yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preview: Option<Preview>,
    /// The mentioned users.
    pub mentions: Mentions,
    /// The hashtag, or `None` if the post has none.
    pub topic: Option<Topic>,
    /// The users who may see the post.
    pub visibility: Visibility,
    /// The users who may reply.
    pub reply_permission: ReplyPermission,
    /// Whether moderators locked the replies, so that only the author can reply.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_locked: bool,
    /// The users who may quote the post.
    #[serde(default, skip_serializing_if = "ReplyPermission::is_default")]
    pub quote_permission: ReplyPermission,
    /// The parent of a reply, or `None` for other posts.
    pub parent: Option<PostId>,
    /// The first post of the thread that a reply belongs to.
    pub head: Option<PostId>,
    /// The original of a quote or repost, or `None` for other posts.
    pub origin: Option<PostId>,
    /// The author of the original, or `UserId::NONE` if that author deleted their account.
    pub origin_author: Option<UserId>,
    /// The shard of the public feed that contains the post.
    pub shard: u8,
    /// Whether another user hid the post from everyone's lists.
    pub is_ghost: bool,
    /// Whether moderation hid the post from lists.
    pub is_hidden: bool,
    /// Whether the author or moderation deleted the post.
    pub is_deleted: bool,
    /// The time of the deletion.
    pub deleted_at: Option<Time>,
    /// The time of an administrator's last decision about the post. After a decision, automatic moderation can hide the
    /// post only if its text is edited.
    pub moderated_at: Option<Time>,
    /// The time of writing.
    pub created_at: Time,
    /// The time of the last edit.
    pub updated_at: Time,
    /// The number of edits.
    pub edits: i64,
    /// The number of counted likes. See [`crate::counting::likes`].
    pub likes_count: i64,
    /// The number of changes to `likes_count` or `likers`. Comparing this number with an engagement's `seq` shows
    /// whether `likes_count` includes that user's like.
    pub likes_seq: i64,
    /// The latest likers, until a batch moves them to a separate row.
    #[serde(default, skip_serializing_if = "OpenSegment::is_empty")]
    pub likers: OpenSegment,
    /// The number of replies that exist.
    pub replies_count: i64,
    /// The number of reposts that exist.
    pub reposts_count: i64,
    /// The number of quotes that exist.
    pub quotes_count: i64,
}

impl Post {
    /// Returns whether lists show the post. A deleted or hidden post is not listed.
    pub fn is_listed(&self) -> bool {
        !(self.is_deleted || self.is_hidden || self.is_ghost)
    }

    /// Returns whether the public feed shows the post.
    pub fn is_in_feed(&self) -> bool {
        self.is_listed() && self.kind == PostType::Post && self.visibility == Visibility::Public
    }

    /// Returns whether the list of a hashtag may show the post. The list has only public posts, and no replies.
    pub fn is_in_topic(&self) -> bool {
        self.is_listed() && self.visibility == Visibility::Public && self.kind != PostType::Reply
    }

    /// Returns the ID to which quotes and reposts of this post refer: the original's ID for a repost, otherwise the
    /// post's own ID.
    pub fn root(&self) -> PostId {
        match self.kind {
            PostType::Repost => self.origin.unwrap_or(self.id),
            _ => self.id,
        }
    }

    /// Returns the author of [`Post::root`].
    pub fn root_author(&self) -> UserId {
        match self.kind {
            PostType::Repost => self.origin_author.unwrap_or(self.author),
            _ => self.author,
        }
    }

    /// Returns the ID of the first post of the thread. A post or quote starts its own thread. For a repost, returns the
    /// original's ID.
    pub fn thread(&self) -> PostId {
        self.head.unwrap_or_else(|| self.root())
    }

    /// Returns the first link of the text, or `None`.
    pub fn first_link(&self) -> Option<&str> {
        self.content.as_ref().and_then(Content::first_link)
    }

    /// Returns all texts by the author: the spoiler, the content, the poll options, and the files' alternative texts.
    pub fn texts(&self) -> Vec<&str> {
        let spoiler = self.spoiler.as_ref().map(Spoiler::as_str);
        let text = self.content.as_ref().map(Content::as_str);
        let options = self.poll.iter().flat_map(|poll| poll.options.all()).map(PollOption::as_str);
        spoiler.into_iter().chain(text).chain(options).chain(self.media.alts()).collect()
    }

    /// Returns the texts and hashtags to compare with muted words.
    pub fn text(&self) -> PostText {
        PostText::of(&self.texts(), self.topic.as_ref().map(Topic::as_str))
    }

    /// Returns the author of the post, and the author of its original, if any.
    pub fn shown_authors(&self) -> impl Iterator<Item = UserId> {
        [self.author].into_iter().chain(self.origin_author)
    }

    /// Returns an update that rewrites the post's index keys. The caller must add the changed attributes to the update.
    /// The write fails with a conflict if the post was deleted, hidden, edited or moderated after `before` was read.
    pub(crate) fn update_write(&self, before: &Self) -> Write {
        Write::reindex(self)
            .equals("isDeleted", before.is_deleted)
            .equals("isHidden", before.is_hidden)
            .equals("isGhost", before.is_ghost)
            .equals("edits", before.edits)
            .is_still("moderatedAt", before.moderated_at)
    }

    /// Returns a query for the [listed](Self::is_listed) posts, quotes and reposts of an author.
    pub fn by_author(author: UserId) -> Query {
        Query::index(Index::Gsi1, author_partition(author))
    }

    /// Returns a query for the hidden posts, quotes and reposts of an author.
    pub(crate) fn hidden_by_author(author: UserId) -> Query {
        Query::index(Index::Gsi1, hidden_partition(author))
    }

    /// Returns a query for the posts in one shard of the public feed.
    pub(crate) fn in_feed(shard: u8) -> Query {
        Query::index(Index::Gsi2, feed_partition(shard))
    }

    /// Returns a query for the public posts and quotes with a hashtag.
    pub(crate) fn with_topic(topic: &Topic) -> Query {
        Query::index(Index::Gsi3, topic_partition(topic))
    }

    /// Returns a query for the [listed](Self::is_listed) replies to a post.
    pub(crate) fn replies_to(parent: PostId) -> Query {
        Query::index(Index::Gsi2, replies_partition(parent))
    }

    /// Returns a query for the [listed](Self::is_listed) quotes of a post.
    pub(crate) fn quotes_of(origin: PostId) -> Query {
        Query::index(Index::Gsi2, quotes_partition(origin))
    }

    /// Returns a query for the deleted and hidden quotes and reposts of a post.
    pub(crate) fn unlisted_shares_of(origin: PostId) -> Query {
        Query::index(Index::Gsi2, unlisted_shares_partition(origin))
    }

    /// Returns a query for the [listed](Self::is_listed) reposts of a post.
    pub(crate) fn reposts_of(origin: PostId) -> Query {
        Query::index(Index::Gsi2, reposts_partition(origin))
    }

    /// Returns the partition of gsi1 in which account deletion finds the post. For a listed post, quote or repost, this
    /// partition is also the author's public list.
    ///
    /// Returns `None` if the author's ID was erased. Also returns `None` for a deleted post of type POST until account
    /// deletion removes the post's text. Account deletion finds these posts in the action log.
    fn author_list_partition(&self) -> Option<String> {
        match self.kind {
            _ if self.author == UserId::NONE => None,
            PostType::Reply => Some(answers_partition(self.author)),
            _ if self.is_listed() => Some(author_partition(self.author)),
            _ if !self.is_deleted => Some(hidden_partition(self.author)),
            PostType::Post if !self.is_withdrawn() => None,
            _ => Some(unlisted_partition(self.author)),
        }
    }

    /// Returns whether account deletion has already removed the post's text and author card.
    pub(crate) fn is_withdrawn(&self) -> bool {
        self.user.is_deleted()
    }

    /// Returns the partition of gsi2 that lists the post, or `None` if no partition lists the post. A post of type POST
    /// is in its shard of the public feed. A reply is in the parent's list of replies. A quote is in the original's
    /// list of quotes, and a repost is in the original's list of reposts.
    ///
    /// Deleted and hidden quotes and reposts are in a separate partition. When the original's author deletes their
    /// account, a job finds the posts in this partition and removes the author's ID. Afterwards, no partition of gsi2
    /// lists the posts.
    fn context_partition(&self) -> Option<String> {
        let is_listed = self.is_listed();
        let origin = self.origin.filter(|_| self.origin_author != Some(UserId::NONE));
        match self.kind {
            PostType::Post => self.is_in_feed().then(|| feed_partition(self.shard)),
            PostType::Reply => self.parent.filter(|_| is_listed).map(replies_partition),
            PostType::Quote if is_listed => origin.map(quotes_partition),
            PostType::Repost if is_listed => origin.map(reposts_partition),
            PostType::Quote | PostType::Repost => {
                origin.filter(|_| self.origin_author.is_some()).map(unlisted_shares_partition)
            }
        }
    }
}

/// Returns the key of a post's row.
pub fn key(id: PostId) -> Key {
    Key::new(partition(id), "POST")
}

/// `POST#id / POST`. The sort key of all indexes is the ID:
/// - listed: gsi1 `AUTHOR#user`, gsi2 `FEED#shard`, `REPLIES#parent`, `QUOTES#origin` or `REPOSTS#origin`
/// - public post or quote: gsi3 `TOPIC#tag`
/// - reply: gsi1 `ANSWERS#user`
/// - hidden post, quote or repost: gsi1 `HIDDEN#user`
/// - deleted quote or repost: gsi1 `UNLISTED#user`
/// - deleted or hidden quote or repost: gsi2 `UNLISTED#origin`
impl Row for Post {
    fn key(&self) -> Key {
        key(self.id)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        let id = self.id.to_string();
        let lists = [
            (Index::Gsi1, self.author_list_partition()),
            (Index::Gsi2, self.context_partition()),
            (Index::Gsi3, self.topic.as_ref().map(topic_partition).filter(|_| self.is_in_topic())),
        ];
        lists.into_iter().filter_map(|(index, pk)| Some((index, Key::new(pk?, id.clone())))).collect()
    }
}
