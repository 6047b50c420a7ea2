//! The worker that deletes the data of deleted accounts, and makes exports.

use base::{ExportId, UserId};
use platform::{
    App, Deadline, Key, Paged, Result,
    outcomes::{self, note},
    paged::{Bound, End, Remainder},
};
use serde::{Deserialize, Serialize};

use super::{
    export::{self, ExportPosition},
    list,
    pass::Pass,
    places::{self, Position},
    progress::{self, Step},
    row::{self, Deletion},
};

const DUE_ROWS: usize = 25;
/// Limit on the messages of a withdrawal, which is the first pass. 20,000 messages process at least 1,000,000 posts or
/// likes.
const WITHDRAWAL: Bound = Bound { job: "withdrawal", messages_max: 20_000, remainder: Remainder::NextRun };
const ERASURE: Bound = Bound { job: "erasure", messages_max: 20_000, remainder: Remainder::NextRun };
const EXPORT: Bound = Bound { job: "export", messages_max: 20_000, remainder: Remainder::DeadLetters };
const DUE: Bound = Bound { job: "start of due erasures", messages_max: 1_000, remainder: Remainder::NextRun };

/// A job of the worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum DeletionJob {
    /// Remove a deleted user's data that other users see.
    Withdraw(Walk),
    /// Start the due erasures.
    Due(Paged<String>),
    /// Export the data of a user.
    Export {
        /// The user whose data is exported.
        user: UserId,
        /// ID of the requested export.
        export: ExportId,
        /// Position after the previous part.
        #[serde(flatten)]
        page: Paged<ExportPosition>,
    },
    /// Erase the remaining data of a deleted user.
    Erase(Walk),
}

/// A pass over all places that can contain data of a deleted user.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Walk {
    user: UserId,
    /// Start of the pass, in milliseconds since 1970. A later pass replaces an earlier pass.
    run: i64,
    /// Position after the previous page.
    #[serde(flatten)]
    page: Paged<Position>,
}

impl Walk {
    fn first(app: &App, user: UserId) -> Self {
        Self { user, run: app.now().millis(), page: Paged::FIRST }
    }
}

impl DeletionJob {
    /// Returns the job that starts removing a deleted user's data that other users see.
    pub(super) fn withdrawal(app: &App, user: UserId) -> Self {
        Self::Withdraw(Walk::first(app, user))
    }
}

/// Runs a job page by page until the deadline, and enqueues the remaining work. Repeating a job has no effect. A
/// deletion job has no effect if its user was not deleted.
pub async fn work(app: &App, deadline: &Deadline, job: DeletionJob) -> Result<()> {
    match job {
        DeletionJob::Withdraw(walk) => {
            walk_places(app, deadline, (Pass::Withdrawal, WITHDRAWAL), walk, DeletionJob::Withdraw).await
        }
        DeletionJob::Erase(walk) => {
            walk_places(app, deadline, (Pass::Erasure, ERASURE), walk, DeletionJob::Erase).await
        }
        DeletionJob::Export { user, export, page } => {
            let step = Step { run: export::began_at(export), messages: page.messages() };
            let make = async |after| export::make(app, user, export, after).await;
            let next = |page| DeletionJob::Export { user, export, page };
            run_once(app, export::key(user), step, EXPORT.pages(app, deadline, page, make, next)).await
        }
        DeletionJob::Due(page) => {
            let start = async |after| start_due(app, after).await;
            DUE.pages(app, deadline, page, start, DeletionJob::Due).await.map(drop)
        }
    }
}

async fn walk_places(
    app: &App,
    deadline: &Deadline,
    (pass, bound): (Pass, Bound),
    Walk { user, run, page: from }: Walk,
    job: impl Fn(Walk) -> DeletionJob,
) -> Result<()> {
    let step = Step { run, messages: from.messages() };
    let next = |page| job(Walk { user, run, page });
    let page = async |after| page(app, (pass, user), after).await;
    run_once(app, row::key(user), step, bound.pages(app, deadline, from, page, next)).await
}

/// Processes the pages of a message, unless the message was processed before.
async fn run_once(app: &App, row: Key, step: Step, pages: impl Future<Output = Result<End>>) -> Result<()> {
    if !progress::is_due(app, &row, step).await? {
        return outcomes::end("repeated");
    }
    match pages.await? {
        // The dead-letter message starts to count at 0 again. Without the restart, it would look like a processed
        // message.
        End::Cut => progress::restart(app, row).await,
        End::Done | End::Continued => progress::record(app, row, step).await,
    }
}

async fn page(app: &App, (pass, user): (Pass, UserId), after: Option<Position>) -> Result<Option<Position>> {
    // The row of the deletion is deleted last. Without this row, the deletion is complete.
    let Some(deletion) = row::find(app, user).await? else {
        note("the deletion is complete");
        return Ok(None);
    };
    if after.is_none() {
        list::add(app, &deletion).await?;
    }
    let position = after.unwrap_or_else(|| places::first(pass));
    places::page(app, user, pass, position).await
}

/// Enqueues the first message of each due erasure on a page. Skips erasures that are making progress. Returns the
/// position of the next page.
async fn start_due(app: &App, after: Option<String>) -> Result<Option<String>> {
    let due = row::due(app, after, DUE_ROWS).await?;
    let stalled = due.iter().filter(|deletion| deletion.is_stalled(app.now()));
    let jobs: Vec<_> = stalled.map(|deletion| DeletionJob::Erase(Walk::first(app, deletion.user))).collect();
    app.queues.send_jobs(&jobs).await?;
    let last = due.last().filter(|_| due.len() == DUE_ROWS);
    Ok(last.map(Deletion::due_key))
}

platform::jobs!(DeletionJob: Leaving);
