//! The content that can be moderated: posts, circle posts, and comments in circles.

use std::collections::HashSet;

use base::{PostId, UserId};
use circles::posts::{self as circle_posts, CirclePost, by_id};
use ledger::statistics::Count;
use platform::{App, Error, Result, Time, Write};
use posts::{Content, MediaList, Moderated, Post, ReplyPermission};

use crate::{author_decision::Subject, decider::Decider};

/// A post outside of circles, or a post or comment in a circle.
pub(super) enum AnyPost {
    Post(Box<Post>),
    CirclePost(Box<CirclePost>),
}

impl AnyPost {
    /// Returns the post, even if it was deleted. Returns `None` if the post never existed.
    pub(super) async fn find(app: &App, id: PostId) -> Result<Option<Self>> {
        if let Some(post) = app.table.get(&posts::key(id)).await? {
            return Ok(Some(Self::Post(Box::new(post))));
        }
        let post: Option<CirclePost> = app.table.get(&circle_posts::key(id)).await?;
        Ok(post.map(|post| Self::CirclePost(Box::new(post))))
    }

    /// Returns the post. The read is eventually consistent.
    ///
    /// # Errors
    /// Fails with [`Error::NotFound`] if the post does not exist.
    pub(super) async fn find_eventual(app: &App, id: PostId) -> Result<Self> {
        match posts::find_eventual(app, id).await {
            Err(Error::NotFound(_)) => Ok(Self::CirclePost(Box::new(circle_posts::find(app, id).await?))),
            post => Ok(Self::Post(Box::new(post?))),
        }
    }

    /// Returns the post if the reader can read it. The read is eventually consistent.
    ///
    /// # Errors
    /// Fails with [`Error::NotFound`] if the post does not exist, the reader cannot read it, or its circle died.
    pub(super) async fn find_readable(app: &App, reader: UserId, id: PostId) -> Result<Self> {
        match posts::find_readable(app, Some(reader), id).await {
            Err(Error::NotFound(_)) => Ok(Self::CirclePost(Box::new(by_id::find_in_living(app, id).await?))),
            post => Ok(Self::Post(Box::new(post?))),
        }
    }

    /// Returns those of the posts that exist and are not deleted. The read is eventually consistent.
    pub(super) async fn existing(app: &App, ids: &[PostId]) -> Result<HashSet<PostId>> {
        let keys: Vec<_> = ids.iter().map(|id| posts::key(*id)).collect();
        let found: Vec<Post> = app.table.batch_get_eventual(&keys).await?;
        let is_unknown = |id: &&PostId| !found.iter().any(|post| post.id == **id);
        let keys: Vec<_> = ids.iter().filter(is_unknown).map(|id| circle_posts::key(*id)).collect();
        let in_circles: Vec<CirclePost> = app.table.batch_get_eventual(&keys).await?;
        let in_circles = in_circles.iter().filter(|post| !post.is_deleted()).map(|post| post.id);
        Ok(found.iter().filter(|post| !post.is_deleted).map(|post| post.id).chain(in_circles).collect())
    }

    pub(super) fn id(&self) -> PostId {
        match self {
            Self::Post(post) => post.id,
            Self::CirclePost(post) => post.id,
        }
    }

    pub(super) fn author(&self) -> UserId {
        match self {
            Self::Post(post) => post.author,
            Self::CirclePost(post) => post.author,
        }
    }

    /// Returns the subject of a moderation decision about the post.
    pub(super) fn subject(&self) -> Subject {
        Subject { user: self.author(), id: self.id() }
    }

    /// Returns the text, which is empty for a repost.
    pub(super) fn content(&self) -> &str {
        match self {
            Self::Post(post) => post.content.as_ref().map_or("", Content::as_str),
            Self::CirclePost(post) => post.content.as_str(),
        }
    }

    /// Returns all texts, one per line. For a post outside of circles, the texts are its warning, text, poll options
    /// and file descriptions. Empty for a repost.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Post(post) => post.texts().join("\n"),
            Self::CirclePost(post) => post.content.as_str().to_owned(),
        }
    }

    pub(super) fn is_hidden(&self) -> bool {
        match self {
            Self::Post(post) => post.is_hidden,
            Self::CirclePost(post) => post.is_hidden,
        }
    }

    pub(super) fn is_deleted(&self) -> bool {
        match self {
            Self::Post(post) => post.is_deleted,
            Self::CirclePost(post) => post.is_deleted(),
        }
    }

    /// Returns the time of the latest decision by an administrator about the post, if any.
    pub(super) fn moderated_at(&self) -> Option<Time> {
        match self {
            Self::Post(post) => post.moderated_at,
            Self::CirclePost(post) => post.moderated_at,
        }
    }

    /// Returns the files of the post. Circle posts have no files.
    pub(super) fn media(&self) -> MediaList {
        match self {
            Self::Post(post) => post.media.clone(),
            Self::CirclePost(_) => MediaList::default(),
        }
    }

    /// Returns the properties of the post that moderators can change. A circle post has neither a label nor a lock.
    pub(super) fn moderated(&self) -> Moderated {
        match self {
            Self::Post(post) => post.moderated(),
            Self::CirclePost(post) => Moderated {
                is_hidden: post.is_hidden,
                deleted_at: post.deleted_at,
                sensitive: false,
                is_labeled: false,
                reply_permission: ReplyPermission::Everyone,
                is_locked: false,
            },
        }
    }

    /// Returns the write that gives the post the `state` that an administrator decided on at `now`.
    pub(super) fn moderate_write(&self, state: Moderated, now: Time) -> Write {
        match self {
            Self::Post(post) => posts::moderate_write(post, state, now),
            Self::CirclePost(post) => post.moderate_write(state.is_hidden, state.deleted_at, now),
        }
    }

    /// Returns the write that hides the post from lists, or shows it again.
    pub(super) fn hidden_write(&self, is_hidden: bool) -> Write {
        match self {
            Self::Post(post) => posts::set_hidden_write(post, is_hidden),
            Self::CirclePost(post) => post.hidden_write(is_hidden),
        }
    }

    /// Returns whether the post is hidden because of this decider.
    pub(super) fn is_hidden_by(&self, decider: Decider) -> bool {
        match (self, decider) {
            (Self::Post(post), Decider::User) => post.is_ghost,
            _ => self.is_hidden(),
        }
    }

    /// Returns the write that shows the post again after this decider hid the post.
    pub(super) fn shown_write(&self, decider: Decider) -> Write {
        match (self, decider) {
            (Self::Post(post), Decider::User) => posts::ghost_write(post, false),
            _ => self.hidden_write(false),
        }
    }

    /// Returns the write that releases the files of a deleted post. Circle posts have no files.
    pub(super) fn release_write(&self, app: &App) -> Option<Write> {
        match self {
            Self::Post(post) => posts::release_write(app, post),
            Self::CirclePost(_) => None,
        }
    }

    /// Returns the outbox record that hides or shows the public files after moderators deleted or restored the post.
    /// Circle posts have no files.
    pub(super) fn place_write(&self, app: &App) -> Option<Write> {
        match self {
            Self::Post(post) => posts::attachments::place_write(app, post),
            Self::CirclePost(_) => None,
        }
    }

    /// Returns the outbox record that removes a deleted post from notifications, or `None` if the post caused no
    /// notification.
    pub(super) fn withdraw_events_write(&self, app: &App) -> Option<Write> {
        match self {
            Self::Post(post) => posts::withdraw_events_write(app, post),
            Self::CirclePost(post) => circles::withdraw_comment_write(app, post),
        }
    }

    /// Returns the writes that remove a deleted post from the counters of other posts. Circle posts are not counted.
    pub(super) fn uncount_writes(&self, now: Time) -> Vec<Write> {
        match self {
            Self::Post(post) => posts::uncount_writes(post, now),
            Self::CirclePost(_) => Vec::new(),
        }
    }

    /// Returns the writes that add a restored post to the counters of other posts. Circle posts are not counted.
    pub(super) fn recount_writes(&self) -> Vec<Write> {
        match self {
            Self::Post(post) => posts::recount_writes(post),
            Self::CirclePost(_) => Vec::new(),
        }
    }

    /// Returns the write that adds a restored comment to the comment count of a CPR. Returns `None` if the comment does
    /// not count.
    pub(super) async fn recount_comment_write(&self, app: &App) -> Result<Option<Write>> {
        match self {
            Self::Post(_) => Ok(None),
            Self::CirclePost(comment) => circle_posts::recount_write(app, comment).await,
        }
    }

    /// Returns the service-wide counter that the restoration of the post changes, and the number to add. Returns `None`
    /// if no counter includes the post.
    pub(super) fn recounted(&self) -> Option<(Count, i64)> {
        match self {
            Self::Post(post) => posts::recounted(post),
            Self::CirclePost(_) => None,
        }
    }

    /// Returns the write that subtracts a deleted comment from the comment count of a CPR. Returns `None` if the
    /// comment does not count.
    pub(super) async fn uncount_comment_write(&self, app: &App) -> Result<Option<Write>> {
        match self {
            Self::Post(_) => Ok(None),
            Self::CirclePost(comment) => circle_posts::uncount_write(app, comment).await,
        }
    }

    /// Returns the service-wide counter that a deletion of the post changes, and the number to add to it. Returns
    /// `None` if no counter includes the post.
    pub(super) fn uncounted(&self) -> Option<(Count, i64)> {
        match self {
            Self::Post(post) => posts::uncounted(post),
            Self::CirclePost(_) => None,
        }
    }

    /// Returns `write` with an added job that updates the feed and the search index. Adds no job for circle posts.
    pub(super) fn then_republish(&self, write: Write) -> Write {
        match self {
            Self::Post(post) => posts::then_republish(write, post),
            Self::CirclePost(_) => write,
        }
    }

    /// Returns an outbox record with the same job as [`Self::then_republish`], or `None` for circle posts.
    pub(super) fn republish_record_write(&self, app: &App) -> Option<Write> {
        match self {
            Self::Post(post) => posts::republish_record_write(app, post),
            Self::CirclePost(_) => None,
        }
    }
}
