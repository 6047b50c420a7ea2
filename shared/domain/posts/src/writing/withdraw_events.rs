//! Takes deleted posts out of the notifications that they caused.

use base::{ids::PostId, jobs::Chore};
use notifications::NotificationEvent;
use platform::{App, Result, outbox::outbox_record_write, table::Write};

use crate::{Post, PostType, key, notices};

/// Returns the outbox record that takes a deleted post out of notifications, or `None` if the post notified no user.
pub fn withdraw_events_write(app: &App, post: &Post) -> Option<Write> {
    let notifies = post.kind != PostType::Post || !post.mentions.users().is_empty();
    notifies.then(|| outbox_record_write(app).then(&Chore::WithdrawPost { post: post.id }))
}

/// Takes a deleted post out of the notifications that it caused. Repeating this has no effect.
pub async fn withdraw_events(app: &App, id: PostId) -> Result<()> {
    let Some(post) = app.table.get::<Post>(&key(id)).await? else { return Ok(()) };
    let Some(at) = post.deleted_at.filter(|_| post.is_deleted) else { return Ok(()) };
    let thread = thread_of(app, &post).await?;
    let thread = thread.as_ref().map(|(parent, head)| (parent, head.as_ref().unwrap_or(parent)));
    let events: Vec<NotificationEvent> = notices::events(&post, thread);
    let withdrawn: Vec<_> = events.into_iter().map(|event| event.withdrawn_at(at)).collect();
    notifications::record_all(app, &withdrawn).await
}

/// Returns the parent of a reply, and the first post of the thread if that is a different post. Returns `None` if the
/// post is not a reply.
pub(super) async fn thread_of(app: &App, reply: &Post) -> Result<Option<(Post, Option<Post>)>> {
    let Some(parent) = reply.parent else { return Ok(None) };
    let head = reply.head.filter(|head| *head != parent);
    let keys: Vec<_> = [parent].into_iter().chain(head).map(key).collect();
    let mut found: Vec<Post> = app.table.batch_get(&keys).await?;
    let head =
        head.and_then(|id| found.iter().position(|post| post.id == id)).map(|at| found.swap_remove(at));
    Ok(found.into_iter().find(|post| post.id == parent).map(|parent| (parent, head)))
}
