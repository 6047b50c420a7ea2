//! What a report is about: a post, or what is written in a circle.

use base::ids::{PostId, UserId};
use circles::posts::{self as circle_posts, CirclePost, by_id};
use ledger::statistics::Count;
use platform::{App, error::Error, error::Result, table::Write, time::Time};
use posts::{Content, Post};

/// A post, or a post or comment of a circle.
pub(super) enum Written {
    Post(Box<Post>),
    CirclePost(Box<CirclePost>),
}

impl Written {
    /// Returns it as it is now, also when it was deleted.
    pub(super) async fn find(app: &App, id: PostId) -> Result<Option<Self>> {
        if let Some(post) = app.table.get(&posts::key(id)).await? {
            return Ok(Some(Self::Post(Box::new(post))));
        }
        let post: Option<CirclePost> = app.table.get(&circle_posts::key(id)).await?;
        Ok(post.map(|it| Self::CirclePost(Box::new(it))))
    }

    /// Returns it as it is now or was a moment ago.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is no such post.
    pub(super) async fn find_eventual(app: &App, id: PostId) -> Result<Self> {
        match posts::find_eventual(app, id).await {
            Err(Error::NotFound(_)) => Ok(Self::CirclePost(Box::new(circle_posts::find(app, id).await?))),
            post => Ok(Self::Post(Box::new(post?))),
        }
    }

    /// Returns it as [`Written::find_eventual`] does, when the reader may read it.
    ///
    /// # Errors
    /// [`Error::NotFound`] when there is no such post, it is not meant for the reader, or its circle died.
    pub(super) async fn find_readable(app: &App, reader: UserId, id: PostId) -> Result<Self> {
        match posts::find_readable(app, Some(reader), id).await {
            Err(Error::NotFound(_)) => Ok(Self::CirclePost(Box::new(by_id::find_in_living(app, id).await?))),
            post => Ok(Self::Post(Box::new(post?))),
        }
    }

    pub(super) fn id(&self) -> PostId {
        match self {
            Self::Post(it) => it.id,
            Self::CirclePost(it) => it.id,
        }
    }

    pub(super) fn author(&self) -> UserId {
        match self {
            Self::Post(it) => it.author,
            Self::CirclePost(it) => it.author,
        }
    }

    /// Its text; empty for a repost.
    pub(super) fn content(&self) -> &str {
        match self {
            Self::Post(it) => it.content.as_ref().map_or("", Content::as_str),
            Self::CirclePost(it) => it.content.as_str(),
        }
    }

    /// All that it says: of a post its warning, its text, the options of its poll and the descriptions of its files, each on
    /// a line. Empty for a repost.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Post(it) => it.texts().join("\n"),
            Self::CirclePost(it) => it.content.as_str().to_owned(),
        }
    }

    pub(super) fn is_hidden(&self) -> bool {
        match self {
            Self::Post(it) => it.is_hidden,
            Self::CirclePost(it) => it.is_hidden,
        }
    }

    pub(super) fn is_deleted(&self) -> bool {
        match self {
            Self::Post(it) => it.is_deleted,
            Self::CirclePost(it) => it.is_deleted(),
        }
    }

    /// The time of an administrator's last decision.
    pub(super) fn moderated_at(&self) -> Option<Time> {
        match self {
            Self::Post(it) => it.moderated_at,
            Self::CirclePost(it) => it.moderated_at,
        }
    }

    /// Hides it from lists, or shows it again.
    pub(super) fn hidden_write(&self, is_hidden: bool) -> Write {
        match self {
            Self::Post(it) => posts::set_hidden_write(it, is_hidden),
            Self::CirclePost(it) => it.hidden_write(is_hidden),
        }
    }

    /// Deletes it.
    pub(super) fn delete_write(&self, now: Time) -> Write {
        match self {
            Self::Post(it) => posts::delete_write(it, now),
            Self::CirclePost(it) => it.delete_write(now),
        }
    }

    /// Releases its files when it is deleted. What is written in a circle has none.
    pub(super) fn release_write(&self, app: &App) -> Option<Write> {
        match self {
            Self::Post(post) => posts::release_write(app, post),
            Self::CirclePost(_) => None,
        }
    }

    /// Takes a deleted post out of the counts of other posts. What is written in a circle is in none.
    pub(super) fn uncount_writes(&self, now: Time) -> Vec<Write> {
        match self {
            Self::Post(it) => posts::uncount_writes(it, now),
            Self::CirclePost(_) => Vec::new(),
        }
    }

    /// Returns the change of a total of the service when it is deleted.
    pub(super) fn uncounted(&self) -> Option<(Count, i64)> {
        match self {
            Self::Post(it) => posts::uncounted(it),
            Self::CirclePost(_) => None,
        }
    }

    /// Has the feed and the search index learn of its change with the write. They do not know circles.
    pub(super) fn then_republish(&self, write: Write) -> Write {
        match self {
            Self::Post(it) => posts::then_republish(write, it),
            Self::CirclePost(_) => write,
        }
    }

    /// The same by a letter, where no other write is there for it.
    pub(super) fn republish_record_write(&self, app: &App) -> Option<Write> {
        match self {
            Self::Post(it) => posts::republish_record_write(app, it),
            Self::CirclePost(_) => None,
        }
    }
}
