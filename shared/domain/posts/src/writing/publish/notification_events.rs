//! Who hears of a new post.

use base::ids::PostId;
use notifications::{NotificationEvent, RecipientSnapshot};
use people::mutes::Mutes;
use platform::{App, Result, table::Write};

use crate::{Post, notices, reading::visible::meant_for};

/// The events of a post, each with a recipient who hears of it.
#[derive(Default)]
pub(super) struct NotificationEvents {
    pub(super) events: Vec<NotificationEvent>,
    snapshot: RecipientSnapshot,
}

impl NotificationEvents {
    /// Returns the writes that notify of all.
    pub(super) fn writes(&self, app: &App) -> Vec<Write> {
        self.events.iter().flat_map(|event| event.writes_once(app, &self.snapshot)).collect()
    }
}

/// Returns the events of which recipients hear: those who mute neither the author of the post, nor its thread, nor a
/// word of it.
pub(super) async fn hear(
    app: &App,
    post: &Post,
    events: Vec<NotificationEvent>,
) -> Result<NotificationEvents> {
    events_in_threads(app, post, &[post.thread()], events).await
}

/// Returns the same for a quote or a repost, with its original's author: not who mutes the original's thread, nor an
/// author for whom the quote is not meant.
pub(super) async fn share_events(
    app: &App,
    post: &Post,
    shared: &Post,
    mut events: Vec<NotificationEvent>,
) -> Result<NotificationEvents> {
    let meant = meant_for(app, Some(shared.root_author()), vec![(post.author, post.visibility)]).await?;
    events.extend(meant.first().map(|_| notices::share(post, shared)));
    events_in_threads(app, post, &[post.thread(), shared.thread()], events).await
}

async fn events_in_threads(
    app: &App,
    post: &Post,
    threads: &[PostId],
    mut events: Vec<NotificationEvent>,
) -> Result<NotificationEvents> {
    let snapshot = NotificationEvent::read_snapshot(app, &events).await?;
    let mutes_it = |mutes: &Mutes| mutes.hides(threads, &post.words());
    events.retain(|event| {
        event.is_wanted(&snapshot) && !snapshot.mutes_of(event.subject.recipient).is_some_and(mutes_it)
    });
    Ok(NotificationEvents { events, snapshot })
}
