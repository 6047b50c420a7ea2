//! The worker that takes away what somebody leaves behind.

use base::ids::{ExportId, UserId};
use platform::{
    App, Result,
    deadline::Deadline,
    queues::{Job, QueueName},
    rounds::{Bound, End, Rest, Rounds},
    table::Key,
};
use serde::{Deserialize, Serialize};

use super::{
    export::{self, ExportPosition},
    pass::Pass,
    places::{self, Position},
    progress::{self, Step},
    row::{self, Leaving},
};

/// People of a page.
const DUE_ROWS: usize = 25;
/// Where a message that does one page comes to half a million posts, or likes.
const WITHDRAWAL: Bound = Bound { job: "withdrawal", rounds_max: 20_000, rest: Rest::NextRun };
const ERASURE: Bound = Bound { job: "erasure", rounds_max: 20_000, rest: Rest::NextRun };
const EXPORT: Bound = Bound { job: "export", rounds_max: 20_000, rest: Rest::DeadLetters };
const DUE: Bound = Bound { job: "erasures that are due", rounds_max: 1_000, rest: Rest::NextRun };

/// A message to the worker of those who leave.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "job", rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum LeavingJob {
    /// Take away what others see of somebody who left.
    Withdraw(Walk),
    /// Begin the erasures that are due.
    Due {
        /// The row at which the last page ended; none for the first page.
        after: Option<String>,
        /// The messages of the job before this one.
        #[serde(default, skip_serializing_if = "Rounds::is_first")]
        rounds: Rounds,
    },
    /// Make the file of all that is kept of somebody.
    Export {
        /// The user.
        user: UserId,
        /// The export.
        export: ExportId,
        /// Where the last part ended; none for the first part.
        after: Option<ExportPosition>,
        /// The messages of the job before this one.
        #[serde(default, skip_serializing_if = "Rounds::is_first")]
        rounds: Rounds,
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
    #[serde(default)]
    run: i64,
    /// Where the last page ended; none for the first page.
    after: Option<Position>,
    /// The messages of the job before this one.
    #[serde(default, skip_serializing_if = "Rounds::is_first")]
    rounds: Rounds,
}

impl Walk {
    fn first(app: &App, user: UserId) -> Self {
        Self { user, run: app.now().millis(), after: None, rounds: Rounds::default() }
    }
}

impl LeavingJob {
    /// Returns the first message of a withdrawal that begins now.
    pub(super) fn withdrawal(app: &App, user: UserId) -> Self {
        Self::Withdraw(Walk::first(app, user))
    }
}

/// Does one job, page by page while there is time, and sends the message for the rest. The same job again changes nothing,
/// and nothing happens to somebody who did not leave. What the pages cost is with the places; a message costs 2 calls, 1 RRU
/// and 2 WRU beside them.
pub async fn work(app: &App, deadline: &Deadline, job: LeavingJob) -> Result<()> {
    match job {
        LeavingJob::Withdraw(walk) => {
            go_over(app, deadline, (Pass::Withdrawal, WITHDRAWAL), walk, LeavingJob::Withdraw).await
        }
        LeavingJob::Erase(walk) => {
            go_over(app, deadline, (Pass::Erasure, ERASURE), walk, LeavingJob::Erase).await
        }
        LeavingJob::Export { user, export, after, rounds } => {
            let page = async |after| Ok(export::make(app, user, export, after).await?.map(Some));
            let next = |after, rounds| LeavingJob::Export { user, export, after, rounds };
            let step = Step { run: export::began_at(export), rounds };
            in_turn(app, export::key(user), step, EXPORT.pages(app, deadline, (after, rounds), page, next))
                .await
        }
        LeavingJob::Due { after, rounds } => {
            let next = |after, rounds| LeavingJob::Due { after, rounds };
            DUE.pages(app, deadline, (after, rounds), async |it| begin_due(app, it).await, next)
                .await
                .map(drop)
        }
    }
}

async fn go_over(
    app: &App,
    deadline: &Deadline,
    (pass, bound): (Pass, Bound),
    Walk { user, run, after, rounds }: Walk,
    job: impl Fn(Walk) -> LeavingJob,
) -> Result<()> {
    let next = |after, rounds| job(Walk { user, run, after, rounds });
    let page = async |after| page(app, (pass, user), after).await;
    let step = Step { run, rounds };
    in_turn(app, row::key(user), step, bound.pages(app, deadline, (after, rounds), page, next)).await
}

/// Does the pages of a message, unless it came before.
async fn in_turn(app: &App, row: Key, step: Step, pages: impl Future<Output = Result<End>>) -> Result<()> {
    if !progress::is_due(app, &row, step).await? {
        return Ok(());
    }
    pages.await?;
    progress::record(app, row, step).await
}

async fn page(
    app: &App,
    (pass, user): (Pass, UserId),
    after: Option<Position>,
) -> Result<Option<Option<Position>>> {
    // Gone means done.
    if row::find(app, user).await?.is_none() {
        return Ok(None);
    }
    let position = after.unwrap_or_else(|| places::first(pass));
    Ok(places::page(app, user, pass, position).await?.map(Some))
}

/// Sends the first message of each erasure on a page that is due and does not go on. Returns where the next page begins.
async fn begin_due(app: &App, after: Option<String>) -> Result<Option<Option<String>>> {
    let due = row::due(app, after, DUE_ROWS).await?;
    let still = due.iter().filter(|it| it.stands_still(app.now()));
    let jobs: Vec<_> = still.map(|it| LeavingJob::Erase(Walk::first(app, it.user))).collect();
    app.queues.send_jobs(&jobs).await?;
    let last = due.last().filter(|_| due.len() == DUE_ROWS);
    Ok(last.map(Leaving::due_key).map(Some))
}

impl Job for LeavingJob {
    fn queue(&self) -> QueueName {
        QueueName::Leaving
    }
}
