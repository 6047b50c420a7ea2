//! Writing a post.

use base::ids::UserId;
use ledger::action_log::{Action, ActionType};
use people::relationships;
use platform::{App, Result, idempotency::Once, retry_on_conflict, table::Write};

use super::{
    author::find_author,
    draft::{Draft, drafted_post},
    effects::timelines_write,
    notification_events::hear,
};
use crate::{
    Post, PostType, notices, polls,
    writing::{
        attachments, mentioned,
        republish::{republished, then_republish},
    },
};

/// Writes a post.
///
/// # Errors
/// [`platform::Error::NotFound`] when the author does not exist, [`platform::Error::Invalid`] for an
/// unknown mention, [`platform::Error::Forbidden`] for a mention where a block stands between.
pub async fn create(app: &App, author: UserId, draft: Draft, once: &Once) -> Result<Post> {
    let mentioned = draft.mentions.clone().unwrap_or_default();
    let post = retry_on_conflict(async || {
        let check_may_still = relationships::check_all_unblocked(app, author, mentioned.users());
        once.run_while(app, author, check_may_still, create_writes(app, author, draft.clone())).await
    })
    .await?;
    republished(app, &post);
    Ok(post)
}

pub(super) async fn create_writes(app: &App, author: UserId, draft: Draft) -> Result<(Vec<Write>, Post)> {
    let found = find_author(app, author, draft.mentions.as_ref());
    let (author, files) = futures::try_join!(found, attachments::find(app, author, draft.media.as_ref()))?;
    let post = drafted_post(app, &author, PostType::Post, (draft, files.media(app)?));
    let action = Action::on_post(post.author, ActionType::PostCreated, post.id, post.created_at);
    let writes =
        [Write::create(&post), then_republish(timelines_write(app, &post), &post), action.log_write()];
    let heard = hear(app, &post, notices::mentions(app, &post)).await?;
    Ok((
        writes
            .into_iter()
            .chain(heard.writes(app))
            .chain(mentioned::post_writes(&post))
            .chain(files.use_writes(post.id)?)
            .chain(polls::open_write(&post))
            .collect(),
        post,
    ))
}
