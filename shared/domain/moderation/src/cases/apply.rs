//! Brings a post into the state that a decision requires.

use base::{announcements::AnnouncedEvent, jobs::OutboundJob};
use ledger::statistics::Count;
use platform::{App, Result, table::Write};
use posts::Moderated;

use crate::any_post::AnyPost;

/// The writes that change a post, and the total that changes with it.
pub(super) struct StateWrites {
    pub(super) writes: Vec<Write>,
    pub(super) total: Option<(Count, i64)>,
}

impl StateWrites {
    pub(super) fn none() -> Self {
        Self { writes: Vec::new(), total: None }
    }
}

/// Returns the writes that bring a post into a state. Counts change if the post is deleted or restored. The files of a
/// deleted post are kept until the evidence is erased.
pub(super) async fn state_writes(app: &App, post: &AnyPost, state: Moderated) -> Result<StateWrites> {
    let now = app.now();
    let mut writes = vec![post.moderate_write(state, now)];
    let total = match (post.is_deleted(), state.deleted_at.is_some()) {
        (false, true) => {
            writes.extend(post.uncount_writes(now));
            writes.extend(post.withdraw_events_write(app));
            writes.extend(post.uncount_comment_write(app).await?);
            post.uncounted()
        }
        (true, false) => {
            writes.extend(post.recount_writes());
            writes.extend(post.recount_comment_write(app).await?);
            post.recounted()
        }
        _ => None,
    };
    Ok(StateWrites { writes, total })
}

/// Returns `write` with the event for webhooks if the decision hides a post that was shown.
pub(super) fn announce_hiding(app: &App, write: Write, post: &AnyPost, hides: bool) -> Write {
    match hides && !post.is_hidden() && !post.is_deleted() {
        true => write.then(&OutboundJob::announce(app, AnnouncedEvent::PostHidden, post.id())),
        false => write,
    }
}
