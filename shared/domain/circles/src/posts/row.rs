//! The row of a circle's post, and the lists that it is in.

use base::{
    ids::{CircleId, CprId, PostId, UserId},
    words::FoldedWords,
};
use judge::{Grade, Score};
use people::users::{User, UserCard};
use platform::{
    table::{Index, Key, Row, Write},
    time::Time,
};
use posts::{Content, previews::Preview};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::CircleCommented;

/// The kind of a post.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum CirclePostKind {
    /// A post that begins a thread.
    Post,
    /// A comment on another post.
    Comment,
    /// The post of a CPR, which is never judged. The comments in its thread may save the circle.
    Cpr,
}

/// The thread of a comment, by the post that begins it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thread {
    /// The post that begins the thread.
    pub post: PostId,
    /// The author of that post.
    pub author: UserId,
}

/// The verdict on a post, and what it did to the circle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Judged {
    /// The judge's grade.
    pub grade: Grade,
    /// HP that the circle gained; lost when negative.
    pub hp_delta: i64,
    /// EXP that the circle gained.
    pub exp_delta: i64,
    /// Whether the circle's stage or level changed.
    pub condition_changed: bool,
    /// The CPR that succeeded by this comment.
    pub saved: Option<CprId>,
    /// The time of the verdict.
    pub judged_at: Time,
}

/// A circle's post.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CirclePost {
    /// The post's id.
    pub id: PostId,
    /// The circle.
    pub circle: CircleId,
    /// Whether it is a post, a comment, or the post of a CPR.
    pub kind: CirclePostKind,
    /// The author.
    pub author: UserId,
    /// The author's card at the time of writing.
    pub user: UserCard,
    /// The text.
    pub content: Content,
    /// What the page of its first link says of itself, once a worker has seen it.
    pub preview: Option<Preview>,
    /// The post that a comment is on.
    pub parent: Option<PostId>,
    /// The thread of a comment.
    pub thread: Option<Thread>,
    /// The verdict; none until the post is judged.
    pub judged: Option<Judged>,
    /// Whether moderation hid it from lists.
    pub is_hidden: bool,
    /// The time of its deletion; none while it is there.
    pub deleted_at: Option<Time>,
    /// The time of an administrator's last decision; after it, no job hides the post.
    pub moderated_at: Option<Time>,
    /// The number of times that the text, the verdict or the lists of the post changed.
    pub revision: i64,
    /// The time of writing.
    pub created_at: Time,
    /// The time of the last edit.
    pub updated_at: Option<Time>,
}

/// Returns the HP and EXP that a score gives. HP are negative for a bad score.
pub(super) fn worth(score: Score) -> (i64, i64) {
    match score.whole() {
        9.. => (5, 10),
        7 | 8 => (3, 6),
        5 | 6 => (1, 2),
        3 | 4 => (0, 0),
        1 | 2 => (-1, 0),
        0 => (-3, 0),
    }
}

impl CirclePost {
    /// Returns the words of its text.
    pub fn words(&self) -> FoldedWords {
        FoldedWords::of([self.content.as_str()])
    }

    /// Returns the post that begins its thread.
    pub fn first_of_thread(&self) -> PostId {
        self.thread.map_or(self.id, |it| it.post)
    }

    /// A post that a user writes now. It begins a thread.
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
        }
    }

    /// The same post with another text. It shows no preview of a link that it has no more.
    pub(super) fn with_text(&self, content: Content, now: Time) -> Self {
        let preview = self.preview.clone().filter(|_| self.has_link_of(&content));
        Self { content, preview, updated_at: Some(now), ..self.clone() }
    }

    /// Whether its first link is that of another text; or neither has one.
    pub(super) fn has_link_of(&self, other: &Content) -> bool {
        self.content.first_link() == other.first_link()
    }

    /// The same post as a comment on another.
    pub(super) fn below(self, parent: Option<&Self>) -> Self {
        Self { parent: parent.map(|it| it.id), thread: parent.map(Self::thread_below), ..self }
    }

    /// Whether it is judged, or never will be.
    pub fn is_done(&self) -> bool {
        self.judged.is_some() || self.is_deleted() || self.kind == CirclePostKind::Cpr
    }

    /// Whether its author, the circle or moderation deleted it.
    pub fn is_deleted(&self) -> bool {
        self.deleted_at.is_some()
    }

    /// Writes the verdict that the post now has. Fails when the stored post has one, changed, or is gone.
    pub(super) fn verdict_write(&self) -> Write {
        self.revision_write().set_or_remove("judged", self.judged.as_ref()).lacks("judged")
    }

    /// Writes the text that the post now has. What an administrator let pass was another text. Fails when the stored
    /// post changed.
    pub(super) fn edit_write(&self) -> Write {
        let write = self.revision_write().set("content", &self.content);
        let write = write.set_or_remove("updatedAt", self.updated_at);
        if self.is_hidden { write } else { write.remove("moderatedAt") }
    }

    /// Hides the post from lists, or shows it again. Fails when the stored post changed.
    pub fn hidden_write(&self, is_hidden: bool) -> Write {
        let after = Self { is_hidden, ..self.clone() };
        after.revision_write().set("isHidden", is_hidden)
    }

    /// Deletes the post: the row stays until the circle is purged. Fails when the stored post changed.
    pub fn delete_write(&self, now: Time) -> Write {
        let after = Self { deleted_at: Some(now), ..self.clone() };
        after.revision_write().set("deletedAt", now)
    }

    /// Moves the post to the lists that show it now. Fails when it changed since it was read.
    fn revision_write(&self) -> Write {
        let write = Write::reindex(self).set("revision", self.revision + 1).exists();
        write.equals("revision", self.revision)
    }

    /// The event that this is a comment on another's post.
    pub(super) fn commented(&self) -> CircleCommented {
        CircleCommented { comment_id: self.id, created_at: self.created_at }
    }

    /// The thread of a comment on this post.
    fn thread_below(&self) -> Thread {
        self.thread.unwrap_or(Thread { post: self.id, author: self.author })
    }

    /// The id under which it is listed: the circle's, or for a comment the parent's.
    fn listed_under(&self) -> String {
        self.parent.map_or_else(|| self.circle.to_string(), |it| it.to_string())
    }

    /// Its sort key by quality. Posts that are not judged yet are lowest.
    pub(super) fn rank(&self) -> String {
        match &self.judged {
            Some(judged) => format!("{JUDGED}{:05.2}#{}", judged.grade.score.value(), self.id),
            None => format!("0#{}", self.id),
        }
    }
}

/// The prefix of the ranks of judged posts.
pub(super) const JUDGED: &str = "1#";

/// The partition of the posts of a circle, or the comments on a post, oldest first.
pub(super) fn latest_partition(listed_under: &impl ToString) -> String {
    format!("CIRCLEPOSTS#{}", listed_under.to_string())
}

/// The partition of the posts of a circle, or the comments on a post, by [`CirclePost::rank`].
pub(super) fn best_partition(listed_under: &impl ToString) -> String {
    format!("CIRCLEBEST#{}", listed_under.to_string())
}

/// The partition of all posts and comments of a circle, oldest first.
pub(super) fn all_partition(circle: CircleId) -> String {
    format!("CIRCLEALL#{circle}")
}

/// The key of a circle's post.
pub fn key(id: PostId) -> Key {
    Key::new(posts::partition(id), "CIRCLEPOST")
}

/// `POST#id / CIRCLEPOST`, gsi1 `CIRCLEALL#circle` / id; while it is listed gsi2 `CIRCLEPOSTS#circle or parent` / id,
/// gsi3 `CIRCLEBEST#circle or parent` / score and id
impl Row for CirclePost {
    fn key(&self) -> Key {
        key(self.id)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        let (listed_under, id) = (self.listed_under(), self.id.to_string());
        let mut indexes = vec![(Index::Gsi1, Key::new(all_partition(self.circle), id.clone()))];
        if !self.is_hidden && !self.is_deleted() {
            indexes.push((Index::Gsi2, Key::new(latest_partition(&listed_under), id)));
            indexes.push((Index::Gsi3, Key::new(best_partition(&listed_under), self.rank())));
        }
        indexes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_counts_without_its_decimals() {
        for (score, worth_of_it) in [
            (10.0, (5, 10)),
            (9.0, (5, 10)),
            (8.99, (3, 6)),
            (7.0, (3, 6)),
            (6.9, (1, 2)),
            (5.0, (1, 2)),
            (4.9, (0, 0)),
            (3.0, (0, 0)),
            (2.9, (-1, 0)),
            (1.0, (-1, 0)),
            (0.9, (-3, 0)),
            (0.0, (-3, 0)),
        ] {
            assert_eq!(worth(Score::clamped(score)), worth_of_it, "{score}");
        }
    }
}
