//! Scheduled work: lists of rows by due time, and the jobs that process these rows page by page.

use futures::future::{join_all, try_join_all};
use platform::{
    App, Deadline, Index, Job, Key, Paged, Query, Result, Row, Time, outcomes,
    paged::{Bound, End, Remainder},
};
use serde::{Deserialize, Serialize};
use ulid::Ulid;

const PAGE_ROWS: usize = 25;
/// A sort key that sorts before all rows.
const LOWEST: &str = "0";
/// Maximum number of messages per run, enough for 25,000 rows of a shard.
const MESSAGES_MAX: u32 = 1_000;

/// A kind of scheduled work. Each kind has its own list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// A circle loses its hourly amount of energy (HP).
    Drain,
    /// The rows of a dead circle are deleted.
    Purge,
    /// The attempt to rescue a circle (CPR) ends.
    Cpr,
    /// A draft is published.
    Draft,
    /// A poll ends, and its voters are notified.
    Poll,
    /// A failed delivery to a webhook is retried.
    Webhook,
    /// A circle post no longer waits for the verdict of an external judge.
    Verdict,
    /// A second factor is removed because of a password reset, or its user gets a reminder of the removal.
    FactorReset,
    /// The evidence of a decided case is erased.
    Evidence,
}

/// Identifies a page of due rows in a job's message.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DuePage {
    shard: u8,
    /// The sort key of the previous page's last row.
    #[serde(flatten)]
    page: Paged<String>,
}

impl Due {
    /// Returns the key in the index gsi3 for a row that is due at `at`. The sort key consists of the time and the ID.
    pub fn index_key(self, id: impl Into<Ulid>, at: Time) -> Key {
        let id = id.into();
        let shard = (id.random() % u128::from(self.shards())) as u8;
        Key::new(self.partition(shard), format!("{at}#{id}"))
    }

    /// Returns the number of shards of the list. Never change this number, because stored rows keep their shard.
    fn shards(self) -> u8 {
        match self {
            Self::Drain | Self::Purge | Self::Cpr => 8,
            Self::Draft | Self::Poll => 4,
            Self::Webhook | Self::Verdict | Self::FactorReset | Self::Evidence => 1,
        }
    }

    /// Returns whether the work belongs to the proposed features, and is skipped while they are off.
    fn is_proposed(self) -> bool {
        matches!(self, Self::Purge | Self::Cpr | Self::Verdict)
    }

    /// Returns the name of the list in its partition keys, and the name of its job in the log.
    fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Drain => ("DRAIN", "drain"),
            Self::Purge => ("PURGE", "purge of dead circles"),
            Self::Cpr => ("CPR", "CPR check"),
            Self::Draft => ("DRAFT", "publication of drafts"),
            Self::Poll => ("POLL", "end of polls"),
            Self::Webhook => ("WEBHOOK", "retry of webhooks"),
            Self::Verdict => ("VERDICT", "end of waits for verdicts"),
            Self::FactorReset => ("FACTORRESET", "removal of second factors"),
            Self::Evidence => ("EVIDENCE", "erasure of evidence"),
        }
    }

    fn partition(self, shard: u8) -> String {
        let (list, _) = self.names();
        format!("DUE#{list}#{shard}")
    }

    /// Returns the limit on the number of messages that process one shard.
    fn bound(self) -> Bound {
        let (_, job) = self.names();
        Bound { job, messages_max: MESSAGES_MAX, remainder: Remainder::NextRun }
    }

    /// Returns the query for the rows of a shard that are due by `now`, starting after the sort key `after`.
    fn query(self, shard: u8, after: Option<String>, now: Time) -> Query {
        // `!` sorts before all characters of a key, so the page starts right after the row `after`.
        let from = after.map_or_else(|| LOWEST.to_owned(), |after| after + "!");
        // `~` sorts after all ids, so rows that are due at exactly `now` are included.
        Query::index(Index::Gsi3, self.partition(shard)).between(from, format!("{now}#~"))
    }
}

/// Sends a job for the first page of each shard that has due rows. Sends nothing for proposed features that are off.
pub async fn begin<R: Row, J: Job>(app: &App, due: Due, page_of: impl Fn(DuePage) -> J) -> Result<()> {
    if due.is_proposed() && !app.has_proposed_features() {
        return outcomes::end("proposed features are off");
    }
    let begin = async |shard| {
        let first: Vec<R> = app.table.query(&due.query(shard, None, app.now()).limit(1)).await?;
        match first.is_empty() {
            true => Ok(()),
            false => app.queues.send(&page_of(DuePage { shard, page: Paged::FIRST })).await,
        }
    };
    try_join_all((0..due.shards()).map(begin)).await.map(drop)
}

/// Processes the due rows of a shard page by page. If time runs out, sends a job for the remaining rows.
///
/// If a row fails, the other rows are still processed, and the message is retried. After a job for the remaining rows
/// was sent, the next scheduled run retries the failed rows instead.
pub async fn pages<R: Row, J: Job, F: Future<Output = Result<()>>>(
    app: &App,
    deadline: &Deadline,
    due: Due,
    DuePage { shard, page: from }: DuePage,
    work: impl Fn(R) -> F,
    page_of: impl FnOnce(DuePage) -> J,
) -> Result<()> {
    let mut done = Ok(());
    let page = async |after| {
        let rows: Vec<R> = app.table.query(&due.query(shard, after, app.now()).limit(PAGE_ROWS)).await?;
        let last = rows.last().filter(|_| rows.len() == PAGE_ROWS).and_then(sort_key);
        let failed = join_all(rows.into_iter().map(&work)).await.into_iter().find(Result::is_err);
        if let Some(failed) = failed {
            done = failed;
        }
        Ok(last)
    };
    let next = |page| page_of(DuePage { shard, page });
    match (due.bound().pages(app, deadline, from, page, next).await?, done) {
        (End::Done, done) => done,
        (_, Err(error)) => {
            outcomes::note("a row failed");
            tracing::error!("failed to process a due row. The next run retries it: {error:?}");
            Ok(())
        }
        (_, Ok(())) => Ok(()),
    }
}

fn sort_key(row: &impl Row) -> Option<String> {
    row.indexes().into_iter().find(|(index, _)| *index == Index::Gsi3).map(|(_, key)| key.sk)
}
