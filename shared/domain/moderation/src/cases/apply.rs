//! Gives a post the state that a decision requires.

use base::{AnnouncedEvent, OutboundJob};
use ledger::statistics::Count;
use people::users;
use platform::{App, Result, Time, Write};
use posts::Moderated;

use crate::any_post::AnyPost;

/// The writes that change a post, and the change of a service-wide counter.
pub(super) struct StateWrites {
    pub(super) writes: Vec<Write>,
    /// The check that the author of a restored post exists. A transaction that changes the author's account must omit
    /// this check.
    pub(super) author_check: Option<Write>,
    pub(super) count: Option<(Count, i64)>,
}

impl StateWrites {
    pub(super) fn none() -> Self {
        Self { writes: Vec::new(), author_check: None, count: None }
    }
}

/// Returns the writes that give a post a new state. If the post is deleted or restored, the writes also change
/// counters, and a worker then hides or shows the public files.
pub(super) async fn state_writes(
    app: &App,
    post: &AnyPost,
    state: Moderated,
    now: Time,
) -> Result<StateWrites> {
    let (mut writes, mut author_check) = (vec![post.moderate_write(state, now)], None);
    if post.is_deleted() != state.deleted_at.is_some() {
        writes.extend(post.place_write(app));
    }
    let count = match (post.is_deleted(), state.deleted_at.is_some()) {
        (false, true) => {
            writes.extend(post.uncount_writes(now));
            writes.extend(post.withdraw_events_write(app));
            writes.extend(post.uncount_comment_write(app).await?);
            post.uncounted()
        }
        (true, false) => {
            author_check = Some(Write::check(users::key(post.author())).exists().into());
            writes.extend(post.recount_writes());
            writes.extend(post.recount_comment_write(app).await?);
            post.recounted()
        }
        _ => None,
    };
    Ok(StateWrites { writes, author_check, count })
}

/// Returns `write` with the event that webhooks get when a post is hidden, unless the post was already hidden or
/// deleted.
pub(super) fn announced_as_hidden(app: &App, write: Write, post: &AnyPost) -> Write {
    match post.is_hidden() || post.is_deleted() {
        true => write,
        false => write.then(&OutboundJob::announce(app, AnnouncedEvent::PostHidden, post.id())),
    }
}
