//! Work that falls due, found in the index in pages.

use futures::future::{join_all, try_join_all};

use super::{Due, due_shards};
use crate::{
    App, Result,
    queues::Job,
    table::{Index, Query, Row},
};

/// Rows of a page: what one small invocation takes.
const PAGE_ROWS: usize = 25;
/// Before every sort key.
const BEGINNING: &str = "0";

/// Asks for the first page of each shard. A message each.
pub(super) async fn begin<J: Job>(app: &App, page_of: impl Fn(u8) -> J) -> Result<()> {
    let jobs: Vec<_> = due_shards().map(page_of).collect();
    try_join_all(jobs.iter().map(|it| app.queues.send(app, it))).await.map(drop)
}

/// Does a page of what is due, and asks for the next where there may be one. What fails holds back
/// nothing else, and comes again with the page's message. 1 call, 0.5 RRU for each 4 KB, and the work's.
pub(super) async fn page<R: Row, J: Job, F: Future<Output = Result<()>>>(
    app: &App,
    (due, shard): (Due, u8),
    after: Option<String>,
    next: impl FnOnce(String) -> J,
    work: impl Fn(R) -> F,
) -> Result<()> {
    let from = after.unwrap_or_else(|| BEGINNING.to_owned());
    let ask = Query::index(Index::Three, due.partition(shard)).between(from, Due::bound(app.now()));
    let rows: Vec<R> = app.table.query(&ask.limit(PAGE_ROWS)).await?;
    let last = rows.last().filter(|_| rows.len() == PAGE_ROWS).and_then(place);
    let done = join_all(rows.into_iter().map(work)).await;
    if let Some(last) = last {
        app.queues.send(app, &next(last)).await?;
    }
    done.into_iter().collect()
}

fn place(row: &impl Row) -> Option<String> {
    row.indexes().into_iter().find(|(index, _)| *index == Index::Three).map(|(_, place)| place.sk)
}
