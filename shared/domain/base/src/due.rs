//! Work that falls due: where it is listed by time, and how a worker does it page by page.

use futures::future::{join_all, try_join_all};
use platform::{
    App, Result,
    deadline::Deadline,
    paged::{Bound, End, Paged, Remainder},
    queues::Job,
    table::{Index, Key, Query, Row},
    time::Time,
};
use serde::{Deserialize, Serialize};
use ulid::Ulid;

/// Rows of a page: what one short invocation can do.
const PAGE_ROWS: usize = 25;
/// A sort key that is lower than all others.
const LOWEST: &str = "0";
/// Where a message that does one page comes to 25,000 rows of a shard.
const ROUNDS_MAX: u32 = 1_000;

/// Work that falls due, each kind in a list of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// A circle loses the HP of an hour.
    Drain,
    /// The rows of a dead circle are deleted.
    Purge,
    /// A circle's CPR ends.
    Cpr,
    /// A draft is published.
    Draft,
    /// Those who took part in a poll are told that it has ended.
    Poll,
    /// A webhook is told again of what it did not take.
    Webhook,
}

/// The part of a job's message that names its page of what is due.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DuePage {
    shard: u8,
    /// The sort key of the last row of the page before.
    #[serde(flatten)]
    page: Paged<String>,
}

impl Due {
    /// The key in gsi3 of what has this id: its shard's partition, then time and id, soonest first.
    pub fn index_key(self, id: impl Into<Ulid>, at: Time) -> Key {
        let id = id.into();
        let shard = (id.random() % u128::from(self.shards())) as u8;
        Key::new(self.partition(shard), format!("{at}#{id}"))
    }

    /// Partitions that a list is spread over. Never change them: a row keeps its shard.
    fn shards(self) -> u8 {
        match self {
            Self::Drain | Self::Purge | Self::Cpr => 8,
            Self::Draft | Self::Poll => 4,
            Self::Webhook => 1,
        }
    }

    /// Whether it is done while proposed features are off. A drain then takes nothing.
    fn is_proposed(self) -> bool {
        matches!(self, Self::Purge | Self::Cpr)
    }

    fn partition(self, shard: u8) -> String {
        match self {
            Self::Drain => format!("DUE#DRAIN#{shard}"),
            Self::Purge => format!("DUE#PURGE#{shard}"),
            Self::Cpr => format!("DUE#CPR#{shard}"),
            Self::Draft => format!("DUE#DRAFT#{shard}"),
            Self::Poll => format!("DUE#POLL#{shard}"),
            Self::Webhook => format!("DUE#WEBHOOK#{shard}"),
        }
    }

    /// Returns the bound of the job for one shard.
    fn bound(self) -> Bound {
        let job = match self {
            Self::Drain => "drain",
            Self::Purge => "purge of dead circles",
            Self::Cpr => "CPR check",
            Self::Draft => "publication of drafts",
            Self::Poll => "end of polls",
            Self::Webhook => "telling webhooks again",
        };
        Bound { job, messages_max: ROUNDS_MAX, remainder: Remainder::NextRun }
    }

    /// The rows of a shard that are due by `now`, behind the sort key `after`.
    fn query(self, shard: u8, after: Option<String>, now: Time) -> Query {
        let from = after.unwrap_or_else(|| LOWEST.to_owned());
        // `~` sorts after all ids, so what is due at this very millisecond is included.
        Query::index(Index::Gsi3, self.partition(shard)).between(from, format!("{now}#~"))
    }
}

/// Sends a job for the first page of each shard in which something is due. What is only proposed is not due while
/// proposed features are off.
pub async fn begin<R: Row, J: Job>(app: &App, due: Due, page_of: impl Fn(DuePage) -> J) -> Result<()> {
    if due.is_proposed() && !app.has_proposed_features() {
        return Ok(());
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

/// Does what is due in a shard, page by page while there is time, and sends a job for the rest.
///
/// A row that fails does not hold back the others. The message comes again for it, unless another does the rest:
/// coming again, it would send that one again. Then the next run of the schedule finds the row.
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
            tracing::error!("a row is left for the next run: {error:?}");
            Ok(())
        }
        (_, Ok(())) => Ok(()),
    }
}

fn sort_key(row: &impl Row) -> Option<String> {
    row.indexes().into_iter().find(|(index, _)| *index == Index::Gsi3).map(|(_, key)| key.sk)
}
