//! A post's row: what is stored, and which lists show it.

use base::{
    ids::{PostId, UserId},
    topic::Topic,
    words::FoldedWords,
};
use people::users::UserCard;
use platform::{
    table::{Index, Key, Query, Row, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};

use crate::{
    Content, MediaList, Mentions, PollOption, PostType, Question, ReplyPermission, Spoiler, Visibility,
    counting::likes::OpenPage,
    previews::Preview,
    reading::partitions::{
        answers_partition, author_partition, feed_partition, partition, quotes_partition, replies_partition,
        reposts_partition, topic_partition, unlisted_partition, unlisted_shares_partition,
    },
};

/// A post as it is stored.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Post {
    /// The post's id, public and internal.
    pub id: PostId,
    /// How it was posted.
    #[serde(rename = "type")]
    pub kind: PostType,
    /// The user who wrote it.
    pub author: UserId,
    /// The author's card at the time of writing.
    pub user: UserCard,
    /// The text; none for a repost.
    pub content: Option<Content>,
    /// Whether readers are warned of its text and files.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sensitive: bool,
    /// What readers are told before they open it.
    pub spoiler: Option<Spoiler>,
    /// The attached files.
    pub media: MediaList,
    /// The poll.
    pub poll: Option<Question>,
    /// What the page of its first link says of itself; none while nobody asked, and where it says nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preview: Option<Preview>,
    /// The users whom the post mentions.
    pub mentions: Mentions,
    /// The hashtag.
    pub topic: Option<Topic>,
    /// The audience.
    pub visibility: Visibility,
    /// The users who may reply.
    pub reply_permission: ReplyPermission,
    /// The users who may quote it.
    #[serde(default, skip_serializing_if = "ReplyPermission::is_default")]
    pub quote_permission: ReplyPermission,
    /// The post that a reply answers.
    pub parent: Option<PostId>,
    /// The first post of a reply's thread.
    pub head: Option<PostId>,
    /// The original of a quote or repost.
    pub origin: Option<PostId>,
    /// The author of the original.
    pub origin_author: Option<UserId>,
    /// The shard of the public feed.
    pub shard: u8,
    /// Whether a user hid it from lists.
    pub is_ghost: bool,
    /// Whether moderation hid it from lists.
    pub is_hidden: bool,
    /// Whether its author or moderation deleted it.
    pub is_deleted: bool,
    /// The time of the deletion.
    pub deleted_at: Option<Time>,
    /// The time of an administrator's last decision; after it, no job hides the post, until its text is edited.
    pub moderated_at: Option<Time>,
    /// The time of writing.
    pub created_at: Time,
    /// The time of the last edit.
    pub updated_at: Time,
    /// The number of edits.
    pub edits: i64,
    /// The number of counted likes. See [`crate::counting::likes`].
    pub likes_count: i64,
    /// The number of applied batches of likes and of other changes of `likers`: shows which likes `likes_count` includes.
    pub likes_seq: i64,
    /// Those whose likes were counted last, while they are in no row.
    #[serde(default, skip_serializing_if = "OpenPage::is_empty")]
    pub likers: OpenPage,
    /// The number of replies that exist.
    pub replies_count: i64,
    /// The number of reposts that exist.
    pub reposts_count: i64,
    /// The number of quotes that exist.
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

    /// Whether the list of its hashtag shows it: a public post or quote.
    pub fn is_in_topic(&self) -> bool {
        self.is_listed() && self.visibility == Visibility::Public && self.kind != PostType::Reply
    }

    /// Returns the post that a quote or repost of this one refers to: for a repost its original.
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

    /// Returns the first post of its thread: its own, unless it is a reply; for a repost that of its original.
    pub fn thread(&self) -> PostId {
        self.head.unwrap_or_else(|| self.root())
    }

    /// Returns the first link of its text.
    pub fn first_link(&self) -> Option<&str> {
        self.content.as_ref().and_then(Content::first_link)
    }

    /// Returns all that its author wrote: what is said before the text, the text, the options of its poll, what its files
    /// show.
    pub fn texts(&self) -> Vec<&str> {
        let spoiler = self.spoiler.as_ref().map(Spoiler::as_str);
        let text = self.content.as_ref().map(Content::as_str);
        let options = self.poll.iter().flat_map(|poll| poll.options.all()).map(PollOption::as_str);
        spoiler.into_iter().chain(text).chain(options).chain(self.media.alts()).collect()
    }

    /// Returns the words of its texts, and its hashtag.
    pub fn words(&self) -> FoldedWords {
        let topic = self.topic.as_ref().map(Topic::as_str);
        FoldedWords::of(self.texts().into_iter().chain(topic))
    }

    /// Returns the authors of the texts that the post shows: its own, and its original's.
    pub fn shown_authors(&self) -> impl Iterator<Item = UserId> {
        [self.author].into_iter().chain(self.origin_author)
    }

    /// Returns an update that also moves the row to the lists that show it now. It is stale when
    /// anything that decides about lists changed after `before` was read, or an administrator decided.
    pub(crate) fn update_write(&self, before: &Self) -> Write {
        Write::reindex(self)
            .equals("isDeleted", before.is_deleted)
            .equals("isHidden", before.is_hidden)
            .equals("isGhost", before.is_ghost)
            .equals("edits", before.edits)
            .is_still("moderatedAt", before.moderated_at)
    }

    /// Asks for an author's posts, quotes and reposts.
    pub fn by_author(author: UserId) -> Query {
        Query::index(Index::Gsi1, author_partition(author))
    }

    /// Asks for the posts of one shard of the public feed.
    pub(crate) fn in_feed(shard: u8) -> Query {
        Query::index(Index::Gsi2, feed_partition(shard))
    }

    /// Asks for the public posts and quotes with a hashtag.
    pub(crate) fn with_topic(topic: &Topic) -> Query {
        Query::index(Index::Gsi3, topic_partition(topic))
    }

    /// Asks for a post's replies.
    pub(crate) fn replies_to(parent: PostId) -> Query {
        Query::index(Index::Gsi2, replies_partition(parent))
    }

    /// Asks for the quotes of a post.
    pub(crate) fn quotes_of(origin: PostId) -> Query {
        Query::index(Index::Gsi2, quotes_partition(origin))
    }

    /// Asks for the quotes and reposts of a post that no list shows.
    pub(crate) fn unlisted_shares_of(origin: PostId) -> Query {
        Query::index(Index::Gsi2, unlisted_shares_partition(origin))
    }

    /// Asks for the reposts of a post.
    pub(crate) fn reposts_of(origin: PostId) -> Query {
        Query::index(Index::Gsi2, reposts_partition(origin))
    }

    /// Returns the list in which the author finds it. A reply is always there; so that its author can leave, one that no
    /// list shows is in a list that nobody else reads, but for a post of type POST: the action log names that.
    fn list_by_author(&self) -> Option<String> {
        match self.kind {
            _ if self.author == UserId::NONE => None,
            PostType::Reply => Some(answers_partition(self.author)),
            _ if self.is_listed() => Some(author_partition(self.author)),
            PostType::Post if !self.is_withdrawn() => None,
            _ => Some(unlisted_partition(self.author)),
        }
    }

    /// Whether its author, who leaves, withdrew it: it has no text and no card any more.
    pub(crate) fn is_withdrawn(&self) -> bool {
        self.user.is_deleted()
    }

    /// What it belongs to: the feed, or the post that it answers, quotes or reposts. A quote or repost that no list shows
    /// is in one that nobody else reads, so that its original's author, whom it names, can leave. Then it is in none.
    fn list_below_or_feed(&self) -> Option<String> {
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

/// `POST#id / POST`; a reply: gsi1 `ANSWERS#user`; while it is listed: gsi1 `AUTHOR#user`, gsi2 `FEED#shard`,
/// `REPLIES#parent`, `QUOTES#origin` or `REPOSTS#origin`, a public post or quote gsi3 `TOPIC#tag`; a quote or repost that
/// is not listed: gsi1 `UNLISTED#user`, gsi2 `UNLISTED#origin`; each sorted by id
impl Row for Post {
    fn key(&self) -> Key {
        key(self.id)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        let id = self.id.to_string();
        let lists = [
            (Index::Gsi1, self.list_by_author()),
            (Index::Gsi2, self.list_below_or_feed()),
            (Index::Gsi3, self.topic.as_ref().map(topic_partition).filter(|_| self.is_in_topic())),
        ];
        lists.into_iter().filter_map(|(index, pk)| Some((index, Key::new(pk?, id.clone())))).collect()
    }
}
