//! The row of a post or comment in a circle.

use base::{CircleId, CprId, PostId, UserId};
use judge::Grade;
use people::{PostText, User, UserCard};
use platform::{Index, Key, Row, Time, Write};
use posts::{Content, previews::Preview};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::CircleCommented;

/// After its creation, a post can be edited for this time even if it was judged.
const EDITABLE_SECONDS: i64 = 15 * 60;

/// The kind of a post.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = CirclePostType)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum CirclePostKind {
    /// A post that begins a thread.
    Post,
    /// A comment on a post or on another comment.
    Comment,
    /// The post of a CPR, which the judge never grades. Comments in the thread of this post can save the circle.
    Cpr,
}

/// The thread of a comment, identified by its first post.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Thread {
    pub(crate) post: PostId,
    pub(crate) author: UserId,
}

/// The verdict on a post, and its effect on the circle.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Judged {
    pub(super) grade: Grade,
    /// Number of HP that the circle gained. Negative for a loss.
    pub(super) hp_delta: i64,
    pub(super) exp_delta: i64,
    /// Whether the verdict changed the circle's stage or level.
    pub(super) condition_changed: bool,
    /// The CPR that succeeded with this comment.
    pub(super) saved: Option<CprId>,
    /// The CPR for which this comment counts.
    pub(super) counted_for: Option<CprId>,
    pub(super) judged_at: Time,
}

/// A circle's post.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CirclePost {
    /// The post's ID.
    pub id: PostId,
    pub(crate) circle: CircleId,
    pub(super) kind: CirclePostKind,
    /// The user who wrote the post.
    pub author: UserId,
    /// A copy of the author's public data, made when the post was written.
    pub(super) user: UserCard,
    /// The text.
    pub content: Content,
    /// The preview of the first link, or `None` until a worker has fetched it.
    pub(super) preview: Option<Preview>,
    /// The parent of a comment, or `None` for a post that begins a thread.
    pub(crate) parent: Option<PostId>,
    /// The thread of a comment, or `None` for a post that begins a thread.
    pub(crate) thread: Option<Thread>,
    /// The verdict, or `None` until the post is judged.
    pub(crate) judged: Option<Judged>,
    /// Whether moderation hid the post from lists.
    pub is_hidden: bool,
    /// The time of the deletion, or `None` if the post exists.
    pub deleted_at: Option<Time>,
    /// The time of an administrator's last decision about the post. After a decision, the automatic moderation does not
    /// hide the post.
    pub moderated_at: Option<Time>,
    /// The number of changes to the text, the verdict or the visibility.
    pub(super) revision: i64,
    pub(crate) created_at: Time,
    /// The time of the last edit.
    pub(super) updated_at: Option<Time>,
    /// Whether the text was edited after the verdict, so that it is judged again.
    #[serde(default)]
    pub(super) awaits_new_verdict: bool,
}

impl CirclePost {
    /// Returns the text to compare with muted words.
    pub(crate) fn text(&self) -> PostText {
        PostText::of(&[self.content.as_str()], None)
    }

    /// Returns the first post of the thread, which may be this post.
    pub(crate) fn first_of_thread(&self) -> PostId {
        self.thread.map_or(self.id, |thread| thread.post)
    }

    /// Returns a new post that begins a thread.
    pub(crate) fn new(
        (id, circle, kind): (PostId, CircleId, CirclePostKind),
        author: &User,
        content: Content,
        now: Time,
    ) -> Self {
        Self {
            id,
            circle,
            kind,
            author: author.id,
            user: author.card(),
            content,
            preview: None,
            parent: None,
            thread: None,
            judged: None,
            is_hidden: false,
            deleted_at: None,
            moderated_at: None,
            revision: 0,
            created_at: now,
            updated_at: None,
            awaits_new_verdict: false,
        }
    }

    /// Returns the post with a new text. Removes the preview if the first link changed.
    pub(super) fn with_text(&self, content: Content, now: Time) -> Self {
        let preview = self.preview.clone().filter(|_| self.has_same_link(&content));
        let awaits_new_verdict = self.judged.is_some();
        Self { content, preview, updated_at: Some(now), awaits_new_verdict, ..self.clone() }
    }

    /// Returns whether the post and `other` have the same first link. True if neither has a link.
    pub(super) fn has_same_link(&self, other: &Content) -> bool {
        self.content.first_link() == other.first_link()
    }

    /// Returns the post as a comment on `parent`, or unchanged if `parent` is `None`.
    pub(super) fn with_parent(self, parent: Option<&Self>) -> Self {
        Self { parent: parent.map(|parent| parent.id), thread: parent.map(Self::comment_thread), ..self }
    }

    /// Returns whether the current text is judged or will never be judged.
    pub(super) fn is_done(&self) -> bool {
        let is_judged = self.judged.is_some() && !self.awaits_new_verdict;
        is_judged || self.is_deleted() || self.kind == CirclePostKind::Cpr
    }

    /// Returns whether the text can be edited. A post without a verdict can always be edited.
    pub(super) fn is_editable(&self, now: Time) -> bool {
        self.judged.is_none() || now < self.created_at.plus_seconds(EDITABLE_SECONDS)
    }

    /// Returns whether the post was deleted by its author, an administrator of the circle, or moderation.
    pub fn is_deleted(&self) -> bool {
        self.deleted_at.is_some()
    }

    /// Returns the write that stores the verdict on the current text. The write fails if the stored post got a verdict,
    /// changed in another way, or was purged after the read.
    pub(super) fn verdict_write(&self) -> Write {
        let write = self.revision_write().set_or_remove("judged", self.judged.as_ref());
        write.remove("awaitsNewVerdict")
    }

    /// Returns the write that stores the text. The write clears an administrator's approval, because the approval was
    /// for the previous text. The write fails if the stored post changed.
    pub(super) fn edit_write(&self) -> Write {
        let write = self.revision_write().set("content", &self.content);
        let write = write.set_or_remove("updatedAt", self.updated_at);
        let write = write.set_or_remove("awaitsNewVerdict", self.awaits_new_verdict.then_some(true));
        if self.is_hidden { write } else { write.remove("moderatedAt") }
    }

    /// Returns the write that hides the post from lists, or shows it again. The write fails if the stored post changed.
    pub fn hidden_write(&self, is_hidden: bool) -> Write {
        let after = Self { is_hidden, ..self.clone() };
        after.revision_write().set("isHidden", is_hidden)
    }

    /// Returns the write that hides, deletes, shows or restores the post as an administrator decided at `now`. The write
    /// fails if the stored post changed.
    pub fn moderate_write(&self, is_hidden: bool, deleted_at: Option<Time>, now: Time) -> Write {
        let after = Self { is_hidden, deleted_at, ..self.clone() };
        let write = after.revision_write().set("isHidden", is_hidden).set_or_remove("deletedAt", deleted_at);
        write.set("moderatedAt", now)
    }

    /// Returns the write that soft-deletes the post. The row stays until the circle is purged. The write fails if the
    /// stored post changed.
    pub fn delete_write(&self, now: Time) -> Write {
        let after = Self { deleted_at: Some(now), ..self.clone() };
        after.revision_write().set("deletedAt", now)
    }

    /// Returns the write that increments the revision and updates the index keys. The write fails if the post changed
    /// after it was read.
    fn revision_write(&self) -> Write {
        let write = Write::reindex(self).set("revision", self.revision + 1).exists();
        write.equals("revision", self.revision)
    }

    pub(super) fn commented_event(&self) -> CircleCommented {
        CircleCommented { comment_id: self.id, created_at: self.created_at }
    }

    /// Returns the thread of a comment on this post.
    fn comment_thread(&self) -> Thread {
        self.thread.unwrap_or(Thread { post: self.id, author: self.author })
    }

    /// Returns the ID of the list that contains the post: the parent's ID for a comment, otherwise the circle's ID.
    fn list_id(&self) -> String {
        self.parent.map_or_else(|| self.circle.to_string(), |parent| parent.to_string())
    }

    /// Returns the sort key by quality. Posts without a verdict sort lowest.
    pub(super) fn rank(&self) -> String {
        match &self.judged {
            Some(judged) => format!("{JUDGED}{:05.2}#{}", judged.grade.score.value(), self.id),
            None => format!("0#{}", self.id),
        }
    }
}

/// The prefix of the ranks of judged posts.
pub(super) const JUDGED: &str = "1#";

/// Returns the index partition of a circle's posts or of a post's comments, oldest first.
pub(super) fn latest_partition(list_id: &impl ToString) -> String {
    format!("CIRCLEPOSTS#{}", list_id.to_string())
}

/// Returns the index partition of a circle's posts or of a post's comments, sorted by [`CirclePost::rank`].
pub(super) fn best_partition(list_id: &impl ToString) -> String {
    format!("CIRCLEBEST#{}", list_id.to_string())
}

/// Returns the index partition of all posts and comments in a circle, oldest first.
pub(super) fn all_partition(circle: CircleId) -> String {
    format!("CIRCLEALL#{circle}")
}

/// Returns the key of a circle's post.
pub fn key(id: PostId) -> Key {
    Key::new(posts::partition(id), "CIRCLEPOST")
}

/// `POST#id / CIRCLEPOST`
///
/// - gsi1 `CIRCLEALL#circle / id`
/// - gsi2 `CIRCLEPOSTS#circle or parent / id`, while the post is listed
/// - gsi3 `CIRCLEBEST#circle or parent / score and id`, while the post is listed
impl Row for CirclePost {
    fn key(&self) -> Key {
        key(self.id)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        let (list_id, id) = (self.list_id(), self.id.to_string());
        let mut indexes = vec![(Index::Gsi1, Key::new(all_partition(self.circle), id.clone()))];
        if !self.is_hidden && !self.is_deleted() {
            indexes.push((Index::Gsi2, Key::new(latest_partition(&list_id), id)));
            indexes.push((Index::Gsi3, Key::new(best_partition(&list_id), self.rank())));
        }
        indexes
    }
}
