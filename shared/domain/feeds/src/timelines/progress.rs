//! How far a fan-out came, so that a message that comes twice does not send the rest of the pages twice.

use base::ids::Position;
use platform::{
    App,
    error::Result,
    paged::End,
    table::{Key, Row, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};

/// How long a job that nobody goes on with is remembered.
pub(super) const KEPT_SECONDS: i64 = 24 * 60 * 60;
/// Five receives, each six times the worker's time-out apart: then a message is done or a dead letter.
const STALLED_AFTER_SECONDS: i64 = 30 * 60;

/// How far a job came.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Progress {
    pk: String,
    sk: String,
    after: Position,
    /// When a message came so far; none when no message does the rest.
    #[serde(default)]
    moved_at: Option<Time>,
}

/// What a message of a job has to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Share {
    /// The pages behind this position.
    Behind(Option<Position>),
    /// Nothing: another message does it, or has done it.
    Nothing,
}

/// Returns what the message that begins behind `after` has to do, when the job came so far.
///
/// A job that nobody goes on with begins again where it ended.
pub(super) fn share(app: &App, progress: Option<Progress>, after: Option<Position>) -> Share {
    match progress.filter(|progress| Some(progress.after) > after) {
        None => Share::Behind(after),
        Some(progress) if goes_on(app, progress.moved_at) => Share::Nothing,
        Some(progress) => Share::Behind(Some(progress.after)),
    }
}

/// Returns whether a message does the rest of a job that last came further at this time.
fn goes_on(app: &App, moved_at: Option<Time>) -> bool {
    moved_at.is_some_and(|at| at.plus_seconds(STALLED_AFTER_SECONDS) > app.now())
}

/// Records that all pages until `last` are done, and how the message ended.
pub(super) async fn record(app: &App, job: &Key, last: Position, end: End) -> Result<()> {
    let expires = app.now().plus_seconds(KEPT_SECONDS);
    let moved_at = Some(app.now()).filter(|_| end != End::Cut);
    let write = Write::update(job.clone()).set("after", last).set("ttl", expires.seconds());
    let write = write.set_or_remove("movedAt", moved_at);
    // A refusal means that another run of the job is further.
    app.table.try_write(write.below_or_lacks("after", last)).await.map(drop)
}

/// `POST#id / FANOUT`, swept after a day
impl Row for Progress {
    fn key(&self) -> Key {
        Key::new(&self.pk, &self.sk)
    }
}
