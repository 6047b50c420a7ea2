//! How far a job of many messages came: a message that comes twice does not go on twice, so that one chain stays one.

use platform::{
    App, Result,
    table::{Key, Row, Write},
};
use serde::{Deserialize, Serialize};

const ATTRIBUTE: &str = "progress";

/// A message of a run: of several runs the later one goes on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// When the run began, in milliseconds since 1970.
    pub(super) run: i64,
    /// The messages of the run before this one.
    pub(super) rounds: u32,
}

/// The part of a row that says how far the job about it came.
#[derive(Serialize, Deserialize)]
struct Progress {
    pk: String,
    sk: String,
    progress: Option<String>,
}

impl Step {
    fn mark(self) -> String {
        format!("{:015}#{:06}", self.run, self.rounds)
    }
}

/// Returns whether a message has work to do: not when the row is gone, or when the message, or one of a later run, did
/// its work.
pub(super) async fn is_due(app: &App, row: &Key, step: Step) -> Result<bool> {
    let found = app.table.get::<Progress>(row).await?;
    Ok(found.is_some_and(|it| it.progress.is_none_or(|done| done < step.mark())))
}

/// Records that a message did its work, and sent the next one.
pub(super) async fn record(app: &App, row: Key, step: Step) -> Result<()> {
    let write = Write::update(row).set(ATTRIBUTE, step.mark()).set("movedAt", app.now()).exists();
    app.table.try_write(write.below_or_lacks(ATTRIBUTE, step.mark())).await.map(drop)
}

impl Row for Progress {
    const PART: Option<&'static str> = Some("pk, sk, progress");

    fn key(&self) -> Key {
        Key::new(&self.pk, &self.sk)
    }
}
