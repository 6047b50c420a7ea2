//! Progress of a job that spans several messages. If a message is delivered twice, it continues the job only once.

use platform::{App, Key, Result, Row, Write};
use serde::{Deserialize, Serialize};

const ATTRIBUTE: &str = "progress";

/// Identifies one message in a run of a job. A later run replaces an earlier run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// Time at which this run of the job began, in milliseconds since 1970.
    pub(super) run: i64,
    /// Number of earlier messages of the run.
    pub(super) messages: u32,
}

/// The part of a row that contains the progress of the row's job.
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

/// Returns whether a message must be processed. Returns false if the row was deleted. Also returns false if this
/// message, a later message, or a message of a later run was already processed.
pub(super) async fn is_due(app: &App, row: &Key, step: Step) -> Result<bool> {
    let found = app.table.get::<Progress>(row).await?;
    Ok(found.is_some_and(|row| row.progress.is_none_or(|done| done < step.mark())))
}

/// Records that a message was processed, and that the next message was sent.
pub(super) async fn record(app: &App, row: Key, step: Step) -> Result<()> {
    let write = Write::update(row).set(ATTRIBUTE, step.mark()).set("movedAt", app.now()).exists();
    app.table.try_write(write.below_or_lacks(ATTRIBUTE, step.mark())).await.map(drop)
}

/// Removes the progress, so that the job can start again with its first message.
pub(super) async fn restart(app: &App, row: Key) -> Result<()> {
    let write = Write::update(row).remove(ATTRIBUTE).set("movedAt", app.now()).exists();
    app.table.try_write(write).await.map(drop)
}

impl Row for Progress {
    const PART: Option<&'static str> = Some("pk, sk, progress");

    fn key(&self) -> Key {
        Key::new(&self.pk, &self.sk)
    }
}
