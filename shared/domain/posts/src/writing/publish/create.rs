//! Creates a post.

use base::ids::UserId;
use ledger::{
    action_log::{Action, ActionType},
    post_limits,
};
use people::relationships;
use platform::{App, Result, idempotency::Once, table::Write};

use super::{
    author::find_author,
    draft::{Draft, PostDraft, drafted_post},
    effects::timelines_write,
    limited::limited,
    notification_events::notified_events,
};
use crate::{
    Post, PostType, notices, polls,
    writing::{
        attachments, mentioned,
        republish::{invalidate_local_feed, then_republish},
    },
};

/// Creates a post.
///
/// # Errors
/// Fails with [`platform::Error::NotFound`] if the author does not exist. Fails with [`platform::Error::Invalid`] if a
/// mentioned user does not exist. Fails with [`platform::Error::Forbidden`] if a block exists between the author and a
/// mentioned user.
pub async fn create(app: &App, author: UserId, draft: PostDraft, once: &Once) -> Result<Post> {
    let draft = draft.resolve(app).await?;
    let mentioned = draft.mentions.clone().unwrap_or_default();
    let still_unblocked =
        async |post| relationships::check_all_unblocked(app, author, mentioned.users()).await.map(|()| post);
    post_limits::count(app, once, author).await?;
    let work = async || limited(app, once, author, create_writes(app, author, draft.clone()).await?);
    let post = once.run_while(app, author, still_unblocked, work).await?;
    invalidate_local_feed(app, post.kind);
    Ok(post)
}

pub(super) async fn create_writes(app: &App, author: UserId, draft: Draft) -> Result<(Vec<Write>, Post)> {
    let found = find_author(app, author, draft.mentions.as_ref());
    let (author, files) = futures::try_join!(found, attachments::find(app, author, draft.media.as_ref()))?;
    let post = drafted_post(app, &author, PostType::Post, (draft, files.media(app)?));
    let action = Action::on_post(post.author, ActionType::PostCreated, post.id, post.created_at);
    let writes =
        [Write::create(&post), then_republish(timelines_write(app, &post), &post), action.log_write()];
    let notified = notified_events(app, &post, notices::mentions(&post)).await?;
    Ok((
        writes
            .into_iter()
            .chain(notified.writes(app))
            .chain(mentioned::post_writes(&post))
            .chain(files.use_writes(post.id)?)
            .chain(polls::open_write(&post))
            .collect(),
        post,
    ))
}
