//! Removes deleted posts from the notifications that they caused.

use base::{Chore, PostId};
use platform::{App, Result, Write, outbox_record_write};

use crate::{Post, PostType, key, notices};

/// Returns the outbox record that removes a deleted post from notifications, or `None` if the post notified no user.
pub fn withdraw_events_write(app: &App, post: &Post) -> Option<Write> {
    let notifies = post.kind != PostType::Post || !post.mentions.users().is_empty();
    notifies.then(|| outbox_record_write(app).then(&Chore::WithdrawPost { post: post.id }))
}

/// Removes a deleted post from the notifications that it caused. Repeating has no effect.
pub async fn withdraw_events(app: &App, id: PostId) -> Result<()> {
    let Some(post) = app.table.get::<Post>(&key(id)).await? else { return Ok(()) };
    let Some(at) = post.deleted_at.filter(|_| post.is_deleted) else { return Ok(()) };
    let events = notices::events(&post, thread_of(app, &post).await?.as_ref());
    let withdrawn: Vec<_> = events.into_iter().map(|event| event.withdrawn_at(at)).collect();
    notifications::record_all(app, &withdrawn).await
}

/// Returns the parent of a reply and the first post of the thread, which can be the same post. Returns `None` if the
/// post is not a reply.
pub(super) async fn thread_of(app: &App, reply: &Post) -> Result<Option<(Post, Post)>> {
    let Some(parent) = reply.parent else { return Ok(None) };
    let head = reply.head.filter(|head| *head != parent);
    let keys: Vec<_> = [parent].into_iter().chain(head).map(key).collect();
    let posts: Vec<Post> = app.table.batch_get(&keys).await?;
    let find = |id| posts.iter().find(|post| post.id == id).cloned();
    let parent = find(parent);
    Ok(parent.clone().zip(head.and_then(find).or(parent)))
}
