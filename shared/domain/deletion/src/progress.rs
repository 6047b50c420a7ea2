//! Progress of a job that spans several messages. A message delivered twice continues the job once.

use platform::{
    App, Result,
    table::{Key, Row, Write},
};
use serde::{Deserialize, Serialize};

const ATTRIBUTE: &str = "progress";

/// A message of a run. A later run replaces an earlier one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// Start of the run, in milliseconds since 1970.
    pub(super) run: i64,
    /// Number of earlier messages of the run.
    pub(super) messages: u32,
}

/// The part of a row that has the progress of its job.
#[derive(Serialize, Deserialize)]
struct Progress {
    pk: String,
    sk: String,
    progress: Option<String>,
}

impl Step {
    fn mark(self) -> String {
        format!("{:015}#{:06}", self.run, self.messages)
    }
}

/// Returns whether a message must be processed. It must not if the row was deleted, or if this message or one of a
/// later run was processed.
pub(super) async fn is_due(app: &App, row: &Key, step: Step) -> Result<bool> {
    let found = app.table.get::<Progress>(row).await?;
    Ok(found.is_some_and(|row| row.progress.is_none_or(|done| done < step.mark())))
}

/// Records that a message was processed, and the next one sent.
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
