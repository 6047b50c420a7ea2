//! Progress of a fan-out. A message that is delivered twice continues the fan-out only once.

use base::ids::Position;
use platform::{
    App,
    error::Result,
    paged::End,
    table::{Key, Row, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};

/// Lifetime of the progress of a stalled job.
pub(super) const KEPT_SECONDS: i64 = 24 * 60 * 60;
/// Time after which a message is done or a dead letter: five receives, each six worker timeouts apart.
const STALLED_AFTER_SECONDS: i64 = 30 * 60;

/// The progress of a job.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Progress {
    pk: String,
    sk: String,
    after: Position,
    /// The time of the last page, or `None` if no message continues the job.
    #[serde(default)]
    moved_at: Option<Time>,
}

/// The part of a job that a message must do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Share {
    /// The pages after this position.
    After(Option<Position>),
    /// Nothing, because another message does the rest or has done it.
    Nothing,
}

/// Returns what a message that starts after `after` must do.
///
/// If the job made more progress and is still running, that is nothing. If it has stalled, the message continues there.
pub(super) fn share(app: &App, progress: Option<Progress>, after: Option<Position>) -> Share {
    match progress.filter(|progress| Some(progress.after) > after) {
        None => Share::After(after),
        Some(progress) if is_running(app, progress.moved_at) => Share::Nothing,
        Some(progress) => Share::After(Some(progress.after)),
    }
}

/// Returns whether another message is still running, based on the time of the last page.
fn is_running(app: &App, moved_at: Option<Time>) -> bool {
    moved_at.is_some_and(|at| at.plus_seconds(STALLED_AFTER_SECONDS) > app.now())
}

/// Records that all pages up to `last` are done, and how the message ended.
pub(super) async fn record(app: &App, job: &Key, last: Position, end: End) -> Result<()> {
    let expires = app.now().plus_seconds(KEPT_SECONDS);
    let moved_at = Some(app.now()).filter(|_| end != End::Cut);
    let write = Write::update(job.clone()).set("after", last).set("ttl", expires.seconds());
    let write = write.set_or_remove("movedAt", moved_at);
    // The write is refused if another message made more progress.
    app.table.try_write(write.below_or_lacks("after", last)).await.map(drop)
}

/// `POST#id / FANOUT`, expires after a day
impl Row for Progress {
    fn key(&self) -> Key {
        Key::new(&self.pk, &self.sk)
    }
}
