//! Changes a post by decision of a moderator, and counts a restored post again.

use base::PostId;
use ledger::statistics::Count;
use platform::{Error, Time, Write};
use serde::{Deserialize, Serialize};

use crate::{Counter, Post, PostType, ReplyPermission, counting::engagements, key, uncounted};

/// The properties of a post that moderators can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Moderated {
    /// Whether lists omit the post.
    pub is_hidden: bool,
    /// The time of the deletion, or `None` if the post exists.
    pub deleted_at: Option<Time>,
    /// Whether clients show a warning before the text and files.
    pub sensitive: bool,
    /// Whether a moderator set `sensitive`, so that the author cannot unset it.
    pub is_labeled: bool,
    /// The users who may reply.
    pub reply_permission: ReplyPermission,
    /// Whether moderators locked the replies.
    pub is_locked: bool,
}

impl Post {
    /// Returns the properties of the post that moderators can change.
    pub fn moderated(&self) -> Moderated {
        let Self { is_hidden, deleted_at, sensitive, is_labeled, reply_permission, is_locked, .. } = *self;
        Moderated { is_hidden, deleted_at, sensitive, is_labeled, reply_permission, is_locked }
    }
}

/// Returns the write that gives a post the state that a moderator decided on at `now`. Fails with a conflict if the
/// post was deleted, hidden, edited or moderated after it was read.
///
/// The same transaction must contain [`crate::uncount_writes`] if the post is deleted, or [`recount_writes`] if the
/// post is restored.
pub fn moderate_write(before: &Post, state: Moderated, now: Time) -> Write {
    let Moderated { is_hidden, deleted_at, sensitive, is_labeled, reply_permission, is_locked } = state;
    let is_deleted = deleted_at.is_some();
    let after = Post { is_hidden, is_deleted, deleted_at, ..before.clone() };
    after
        .update_write(before)
        .set("isHidden", is_hidden)
        .set("isDeleted", is_deleted)
        .set_or_remove("deletedAt", deleted_at)
        .set("sensitive", sensitive)
        .set_or_remove("isLabeled", is_labeled.then_some(true))
        .set("replyPermission", reply_permission)
        .set_or_remove("isLocked", is_locked.then_some(true))
        .set("moderatedAt", now)
}

/// Returns the writes that count a restored post again: the reverse of [`crate::uncount_writes`]. The writes fail with
/// [`Error::Invalid`] if the post is a repost and its author has reposted the original again.
pub fn recount_writes(post: &Post) -> Vec<Write> {
    let increment_write =
        |id: PostId, counter: Counter| Write::update(key(id)).add(counter.attribute(), 1).exists();
    match (post.kind, post.parent, post.origin) {
        (PostType::Reply, Some(parent), _) => vec![increment_write(parent, Counter::Replies)],
        (PostType::Quote, _, Some(origin)) => vec![
            increment_write(origin, Counter::Quotes),
            engagements::update_write(post.author, origin).add("quotes", 1),
        ],
        (PostType::Repost, _, Some(origin)) => vec![
            increment_write(origin, Counter::Reposts),
            engagements::update_write(post.author, origin)
                .set("repost", post.id)
                .lacks("repost")
                .or(Error::Invalid("the author has already reposted the original again".into())),
        ],
        _ => Vec::new(),
    }
}

/// Returns the service-wide total that changes when a post is restored, and the number to add to the total.
pub fn recounted(post: &Post) -> Option<(Count, i64)> {
    uncounted(post).map(|(count, by)| (count, -by))
}
