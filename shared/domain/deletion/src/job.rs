//! The worker that takes away what somebody leaves behind.

use base::ids::{ExportId, UserId};
use platform::{
    App, Result,
    deadline::Deadline,
    paged::{Bound, End, Paged, Remainder},
    queues::{Job, QueueName},
    table::Key,
};
use serde::{Deserialize, Serialize};

use super::{
    export::{self, ExportPosition},
    pass::Pass,
    places::{self, Position},
    progress::{self, Step},
    row::{self, Deletion},
};

/// People of a page.
const DUE_ROWS: usize = 25;
/// Where a message that does one page comes to half a million posts, or likes.
const WITHDRAWAL: Bound = Bound { job: "withdrawal", messages_max: 20_000, remainder: Remainder::NextRun };
const ERASURE: Bound = Bound { job: "erasure", messages_max: 20_000, remainder: Remainder::NextRun };
const EXPORT: Bound = Bound { job: "export", messages_max: 20_000, remainder: Remainder::DeadLetters };
const DUE: Bound = Bound { job: "erasures that are due", messages_max: 1_000, remainder: Remainder::NextRun };

/// A message to the worker of those who leave.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum DeletionJob {
    /// Take away what others see of somebody who left.
    Withdraw(Walk),
    /// Begin the erasures that are due.
    Due(Paged<String>),
    /// Make the file of all that is kept of somebody.
    Export {
        /// The user.
        user: UserId,
        /// The export.
        export: ExportId,
        /// Where the last part ended.
        #[serde(flatten)]
        page: Paged<ExportPosition>,
    },
    /// Erase all that is left of somebody who left.
    Erase(Walk),
}

/// A way over all the places of somebody who left.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Walk {
    user: UserId,
    /// When the pass began, in milliseconds since 1970: a later one takes its place.
    run: i64,
    /// Where the last page ended.
    #[serde(flatten)]
    page: Paged<Position>,
}

impl Walk {
    fn first(app: &App, user: UserId) -> Self {
        Self { user, run: app.now().millis(), page: Paged::FIRST }
    }
}

impl DeletionJob {
    /// Returns the first message of a withdrawal that begins now.
    pub(super) fn withdrawal(app: &App, user: UserId) -> Self {
        Self::Withdraw(Walk::first(app, user))
    }
}

/// Does one job, page by page while there is time, and sends the message for the rest. The same job again changes
/// nothing, and nothing happens to somebody who did not leave.
pub async fn work(app: &App, deadline: &Deadline, job: DeletionJob) -> Result<()> {
    match job {
        DeletionJob::Withdraw(walk) => {
            go_over(app, deadline, (Pass::Withdrawal, WITHDRAWAL), walk, DeletionJob::Withdraw).await
        }
        DeletionJob::Erase(walk) => {
            go_over(app, deadline, (Pass::Erasure, ERASURE), walk, DeletionJob::Erase).await
        }
        DeletionJob::Export { user, export, page } => {
            let step = Step { run: export::began_at(export), rounds: page.messages() };
            let make = async |after| export::make(app, user, export, after).await;
            let next = |page| DeletionJob::Export { user, export, page };
            in_turn(app, export::key(user), step, EXPORT.pages(app, deadline, page, make, next)).await
        }
        DeletionJob::Due(page) => {
            let begin = async |after| begin_due(app, after).await;
            DUE.pages(app, deadline, page, begin, DeletionJob::Due).await.map(drop)
        }
    }
}

async fn go_over(
    app: &App,
    deadline: &Deadline,
    (pass, bound): (Pass, Bound),
    Walk { user, run, page: from }: Walk,
    job: impl Fn(Walk) -> DeletionJob,
) -> Result<()> {
    let step = Step { run, rounds: from.messages() };
    let next = |page| job(Walk { user, run, page });
    let page = async |after| page(app, (pass, user), after).await;
    in_turn(app, row::key(user), step, bound.pages(app, deadline, from, page, next)).await
}

/// Does the pages of a message, unless it came before.
async fn in_turn(app: &App, row: Key, step: Step, pages: impl Future<Output = Result<End>>) -> Result<()> {
    if !progress::is_due(app, &row, step).await? {
        return Ok(());
    }
    pages.await?;
    progress::record(app, row, step).await
}

async fn page(app: &App, (pass, user): (Pass, UserId), after: Option<Position>) -> Result<Option<Position>> {
    // Gone means done.
    if row::find(app, user).await?.is_none() {
        return Ok(None);
    }
    let position = after.unwrap_or_else(|| places::first(pass));
    places::page(app, user, pass, position).await
}

/// Sends the first message of each erasure on a page that is due and does not go on. Returns where the next page begins.
async fn begin_due(app: &App, after: Option<String>) -> Result<Option<String>> {
    let due = row::due(app, after, DUE_ROWS).await?;
    let still = due.iter().filter(|it| it.stands_still(app.now()));
    let jobs: Vec<_> = still.map(|it| DeletionJob::Erase(Walk::first(app, it.user))).collect();
    app.queues.send_jobs(&jobs).await?;
    let last = due.last().filter(|_| due.len() == DUE_ROWS);
    Ok(last.map(Deletion::due_key))
}

impl Job for DeletionJob {
    fn queue(&self) -> QueueName {
        QueueName::Leaving
    }
}
