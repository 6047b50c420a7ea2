//! Work that falls due, found in the index in pages.

use futures::future::{join_all, try_join_all};
use platform::{
    App, Result,
    queues::Job,
    table::{Index, Query, Row},
};

use super::{Due, due_shards};

/// Rows of a page: what one small invocation takes.
const PAGE_ROWS: usize = 25;
/// Before every sort key.
const BEGINNING: &str = "0";

/// Asks for the first page of each shard in which something is due. 8 calls, 4 RRU, and a message each.
pub(super) async fn begin<R: Row, J: Job>(app: &App, due: Due, page_of: impl Fn(u8) -> J) -> Result<()> {
    let begin = async |shard| match app.table.query::<R>(&ask(app, due, shard, None).limit(1)).await?.len() {
        0 => Ok(()),
        _ => app.queues.send(&page_of(shard)).await,
    };
    try_join_all(due_shards().map(begin)).await.map(drop)
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
    let rows: Vec<R> = app.table.query(&ask(app, due, shard, after).limit(PAGE_ROWS)).await?;
    let last = rows.last().filter(|_| rows.len() == PAGE_ROWS).and_then(place);
    let done = join_all(rows.into_iter().map(work)).await;
    if let Some(last) = last {
        app.queues.send(&next(last)).await?;
    }
    done.into_iter().collect()
}

fn ask(app: &App, due: Due, shard: u8, after: Option<String>) -> Query {
    let from = after.unwrap_or_else(|| BEGINNING.to_owned());
    Query::index(Index::Gsi3, due.partition(shard)).between(from, Due::bound(app.now()))
}

fn place(row: &impl Row) -> Option<String> {
    row.indexes().into_iter().find(|(index, _)| *index == Index::Gsi3).map(|(_, place)| place.sk)
}
