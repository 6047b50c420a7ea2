//! Who hears of a new post.

use base::ids::PostId;
use notifications::{Look, NotificationEvent};
use people::mutes::Mutes;
use platform::{App, Result, table::Write};

use crate::{Post, notices, reading::visible::meant_for};

/// The events of a post, each with a recipient who hears of it.
#[derive(Default)]
pub(super) struct Heard {
    pub(super) events: Vec<NotificationEvent>,
    look: Look,
}

impl Heard {
    /// Returns the writes that notify of all.
    pub(super) fn writes(&self, app: &App) -> Vec<Write> {
        self.events.iter().flat_map(|event| event.writes_once(app, &self.look)).collect()
    }
}

/// Returns the events of which recipients hear: those who mute neither the author of the post, nor its thread, nor a
/// word of it.
pub(super) async fn hear(app: &App, post: &Post, events: Vec<NotificationEvent>) -> Result<Heard> {
    hear_in(app, post, &[post.thread()], events).await
}

/// Returns the same for a quote or a repost, with its original's author: not who mutes the original's thread, nor an
/// author for whom the quote is not meant.
pub(super) async fn hear_of_share(
    app: &App,
    post: &Post,
    shared: &Post,
    mut events: Vec<NotificationEvent>,
) -> Result<Heard> {
    let meant = meant_for(app, Some(shared.root_author()), vec![(post.author, post.visibility)]).await?;
    events.extend(meant.first().map(|_| notices::share(post, shared)));
    hear_in(app, post, &[post.thread(), shared.thread()], events).await
}

async fn hear_in(
    app: &App,
    post: &Post,
    threads: &[PostId],
    mut events: Vec<NotificationEvent>,
) -> Result<Heard> {
    let look = NotificationEvent::look(app, &events).await?;
    let mutes_it = |it: &Mutes| it.hides(threads, &post.words());
    events.retain(|it| it.is_heard(&look) && !look.mutes_of(it.subject.recipient).is_some_and(mutes_it));
    Ok(Heard { events, look })
}
