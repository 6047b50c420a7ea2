//! Chooses the notification events of a new post.

use base::PostId;
use notifications::{NotificationEvent, RecipientSnapshot};
use people::Mutes;
use platform::{App, Result, Write};

use crate::{Post, notices, reading::visible::meant_for};

/// The notification events of a post, without events that the recipients mute.
#[derive(Default)]
pub(super) struct NotificationEvents {
    pub(super) events: Vec<NotificationEvent>,
    snapshot: RecipientSnapshot,
}

impl NotificationEvents {
    /// Returns the events of an action that was undone and is now repeated. See [`NotificationEvent::returning`].
    pub(super) fn returning(self) -> Self {
        Self { events: self.events.into_iter().map(NotificationEvent::returning).collect(), ..self }
    }

    pub(super) fn writes(&self, app: &App) -> Vec<Write> {
        self.events.iter().flat_map(|event| event.writes_once(app, &self.snapshot)).collect()
    }
}

/// Returns the first event of each recipient. Omits recipients who mute the post's author, the thread, or a word in the
/// post. Also omits a recipient if a block exists between the recipient and the author.
pub(super) async fn notified_events(
    app: &App,
    post: &Post,
    events: Vec<NotificationEvent>,
) -> Result<NotificationEvents> {
    events_in_threads(app, post, &[post.thread()], events).await
}

/// Returns `events` and the event that notifies the original's author of the quote or repost `post`.
///
/// Omits the same recipients as [`notified_events`], and recipients who mute the original's thread. Also omits the
/// original's author if the visibility of `post` excludes that author.
pub(super) async fn share_events(
    app: &App,
    post: &Post,
    shared: &Post,
    events: Vec<NotificationEvent>,
) -> Result<NotificationEvents> {
    let meant = meant_for(app, Some(shared.root_author()), vec![(post.author, post.visibility)]).await?;
    let share = meant.first().map(|_| notices::share(post, shared));
    let events = share.into_iter().chain(events).collect();
    events_in_threads(app, post, &[post.thread(), shared.thread()], events).await
}

async fn events_in_threads(
    app: &App,
    post: &Post,
    threads: &[PostId],
    events: Vec<NotificationEvent>,
) -> Result<NotificationEvents> {
    let mut events = notices::once_each(events);
    let snapshot = NotificationEvent::read_snapshot(app, &events).await?;
    let mutes_post = |mutes: &Mutes| mutes.hides(threads, &post.text(), app.now());
    events.retain(|event| {
        event.is_wanted(&snapshot) && !snapshot.mutes_of(event.subject.recipient).is_some_and(mutes_post)
    });
    Ok(NotificationEvents { events, snapshot })
}
