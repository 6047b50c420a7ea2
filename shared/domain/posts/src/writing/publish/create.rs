//! Creates a post.

use base::UserId;
use ledger::action_log::{Action, ActionType};
use platform::{App, Once, Result, Write};

use super::{
    Draft, PostDraft, Target, author::find_author, draft::drafted_post, drafted::drafted_writes,
    effects::timelines_write, notification_events::notified_events, publish,
};
use crate::{Post, PostType, attachments, invalidate_local_feed, notices, then_republish};

/// Creates a post.
///
/// # Errors
/// Fails with [`platform::Error::NotFound`] if the author does not exist. Fails with [`platform::Error::Invalid`] if a
/// mentioned user does not exist. Fails with [`platform::Error::Forbidden`] if a block exists between the author and a
/// mentioned user.
pub async fn create(app: &App, author: UserId, draft: PostDraft, once: &Once) -> Result<Post> {
    let post = publish(app, author, Target::Post, draft, once).await?;
    invalidate_local_feed(app, post.kind);
    Ok(post)
}

pub(super) async fn create_writes(app: &App, author: UserId, draft: Draft) -> Result<(Vec<Write>, Post)> {
    let found = find_author(app, author, draft.mentioned());
    let (author, files) = futures::try_join!(found, attachments::find(app, author, draft.media.as_ref()))?;
    let post = drafted_post(app, &author, PostType::Post, (draft, files.media(app)?));
    let action = Action::on_post(post.author, ActionType::PostCreated, post.id, post.created_at);
    let writes = [then_republish(timelines_write(app, &post), &post), action.log_write()];
    let notified = notified_events(app, &post, notices::mentions(&post)).await?;
    let writes = writes.into_iter().chain(notified.writes(app)).chain(drafted_writes(&post, &files)?);
    Ok((writes.collect(), post))
}
