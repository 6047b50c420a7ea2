//! Progress of a fan-out. If a message is delivered twice, only one delivery continues the fan-out.

use base::Position;
use platform::{App, Key, Result, Row, Time, Write, paged::End};
use serde::{Deserialize, Serialize};

/// Lifetime of the row that stores a job's progress.
pub(super) const LIFETIME_SECONDS: i64 = 24 * 60 * 60;
/// A job without progress for this time is considered stalled. Within this time, SQS delivers a failing
/// message 5 times. Then the message moves to the dead-letter queue.
const STALLED_AFTER_SECONDS: i64 = 30 * 60;

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Progress {
    pk: String,
    sk: String,
    after: Position,
    /// The time at which the last finished page was recorded. `None` if no message continues the job.
    moved_at: Option<Time>,
}

/// The part of a job that a message must process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Share {
    /// The pages after this position.
    After(Option<Position>),
    /// No pages, because a different message processes the remaining pages or has already processed them.
    Nothing,
}

/// Returns the part of the job that a message must process. `after` is the position in the message.
///
/// If the recorded position is later than `after` and the job is still running, returns [`Share::Nothing`]. If the job
/// has stalled, the message continues at the recorded position.
pub(super) fn share(app: &App, progress: Option<Progress>, after: Option<Position>) -> Share {
    match progress.filter(|progress| Some(progress.after) > after) {
        None => Share::After(after),
        Some(progress) if is_running(app, progress.moved_at) => Share::Nothing,
        Some(progress) => Share::After(Some(progress.after)),
    }
}

/// Returns whether a different message may still be continuing the job. `moved_at` is [`Progress::moved_at`].
fn is_running(app: &App, moved_at: Option<Time>) -> bool {
    moved_at.is_some_and(|at| at.plus_seconds(STALLED_AFTER_SECONDS) > app.now())
}

/// Records that all pages up to `last` are done. After [`End::Cut`], also records that no message continues the job.
pub(super) async fn record(app: &App, job: &Key, last: Position, end: End) -> Result<()> {
    let expires = app.now().plus_seconds(LIFETIME_SECONDS);
    let moved_at = Some(app.now()).filter(|_| end != End::Cut);
    let write = Write::update(job.clone()).set("after", last).set("ttl", expires.seconds());
    let write = write.set_or_remove("movedAt", moved_at);
    // The write is refused if a different message made more progress.
    app.table.try_write(write.below_or_lacks("after", last)).await.map(drop)
}

/// `POST#id / FANOUT`, expires after a day
impl Row for Progress {
    fn key(&self) -> Key {
        Key::new(&self.pk, &self.sk)
    }
}
