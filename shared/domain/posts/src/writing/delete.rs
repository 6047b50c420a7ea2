//! Deletes a post.

use base::{PostId, UserId};
use platform::{App, Once, Result, Time, Write};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    Counter, GONE, Post, PostType, attachments, check_author, engagements, invalidate_local_feed, key,
    then_republish, withdraw_events_write,
};
use ledger::{
    action_log::{Action, ActionType},
    statistics::{self, Count},
};

/// A deleted post.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = PostDeletion)]
#[serde(rename_all = "camelCase")]
pub struct Deleted {
    /// The post's ID.
    pub public_id: PostId,
    /// Always true.
    pub is_deleted: bool,
    /// The time of the deletion.
    pub deleted_at: Time,
}

/// Deletes a post of the caller. Removes the post from all lists, counts and notifications, but keeps its row. Deletes
/// files that no other post uses.
///
/// # Errors
/// Fails with [`platform::Error::NotFound`] if the post does not exist or was deleted. Fails with
/// [`platform::Error::Forbidden`] if the caller is not the author.
pub async fn delete(app: &App, caller: UserId, id: PostId, once: &Once) -> Result<Deleted> {
    let (answer, deleted) = once
        .run_with(app, caller, async || {
            let now = app.now();
            let before = app.table.get::<Post>(&key(id)).await?.ok_or(GONE)?;
            check_author(&before, caller)?;
            if before.is_deleted {
                return Err(GONE);
            }
            let writes = all_writes(&before, delete_write(&before, now), now).into_iter();
            let jobs = release_write(app, &before).into_iter().chain(withdraw_events_write(app, &before));
            let answer = Deleted { public_id: id, is_deleted: true, deleted_at: now };
            Ok((writes.chain(jobs).collect(), answer, before.kind))
        })
        .await?;
    deleted.into_iter().for_each(|kind| invalidate_local_feed(app, kind));
    Ok(answer)
}

/// Returns all writes of a deletion, including `delete_write` for the post's row.
pub(crate) fn all_writes(before: &Post, delete_write: Write, now: Time) -> Vec<Write> {
    let total_write = statistics::counts_write(before.id.random(), uncounted(before));
    // `then_republish` affects only posts of type POST. For these posts, `uncount_writes` returns a single write, which
    // logs the deletion.
    let uncount_writes = uncount_writes(before, now).into_iter().map(|write| then_republish(write, before));
    [delete_write].into_iter().chain(uncount_writes).chain(total_write).collect()
}

/// Returns the write that deletes a post. The same transaction must contain [`uncount_writes`].
fn delete_write(before: &Post, now: Time) -> Write {
    let after = Post { is_deleted: true, deleted_at: Some(now), ..before.clone() };
    after.update_write(before).set("isDeleted", true).set("deletedAt", now)
}

/// Returns the outbox record that releases the files of a deleted post, or `None` if the post has no files.
pub fn release_write(app: &App, post: &Post) -> Option<Write> {
    attachments::release_write(app, post.id, post.media.uploads())
}

/// Returns the service-wide total that changes when a post is deleted, and the number to add to the total. Returns
/// `None` for a post of type POST, because the search index worker counts these posts.
pub fn uncounted(post: &Post) -> Option<(Count, i64)> {
    match post.kind {
        PostType::Reply => Some((Count::Replies, -1)),
        PostType::Quote | PostType::Repost => Some((Count::Posts, -1)),
        PostType::Post => None,
    }
}

/// Returns the writes that remove a deleted post from the counts of its parent or original. For a quote or repost, the
/// writes also update the author's engagement with the original. Unless the post is a reply, the writes also log the
/// deletion. The same transaction must contain the change from [`uncounted`].
pub fn uncount_writes(post: &Post, now: Time) -> Vec<Write> {
    let decrement_write = |id, counter: Counter| Write::update(key(id)).add(counter.attribute(), -1).exists();
    let log_write = |kind, target| Action::on_post(post.author, kind, target, now).log_write();
    match (post.kind, post.parent, post.origin) {
        (PostType::Reply, Some(parent), _) => vec![decrement_write(parent, Counter::Replies)],
        (PostType::Quote, _, Some(origin)) => vec![
            decrement_write(origin, Counter::Quotes),
            engagements::update_write(post.author, origin).add("quotes", -1),
            log_write(ActionType::QuoteDeleted, origin),
        ],
        (PostType::Repost, _, Some(origin)) => vec![
            decrement_write(origin, Counter::Reposts),
            engagements::update_write(post.author, origin)
                .remove("repost")
                .set("deletedRepost", post.id)
                .equals("repost", post.id),
            log_write(ActionType::ShareDeleted, origin),
        ],
        _ => vec![log_write(ActionType::PostDeleted, post.id)],
    }
}
