//! The votes of somebody who leaves.

use base::ids::UserId;
use platform::{
    App,
    error::Result,
    table::{Query, Row, Write},
};
use posts::polls::{self, VOTE_PREFIX, Vote};

use super::pass::Pass;

/// Votes of a page.
const PAGE_ROWS: usize = 50;

/// Takes back the next 50 votes, which a worker then settles; then erases those that are settled. Costs 1 call and 1 RRU for
/// each 4 KB; each vote 1 call and 1 WRU, and to erase it 1 call and 1 WRU.
pub(super) async fn page(
    app: &App,
    user: UserId,
    pass: Pass,
    behind: Option<String>,
) -> Result<Option<String>> {
    let query = Query::partition(user.partition()).prefix_from(VOTE_PREFIX, behind);
    let found: Vec<Vote> = app.table.query(&query.consistent().limit(PAGE_ROWS)).await?;
    for vote in &found {
        polls::withdraw(app, user, vote.post).await?;
        if pass == Pass::Erasure {
            delete(app, vote).await?;
        }
    }
    Ok(found.last().map(|it| it.key().sk).filter(|_| found.len() == PAGE_ROWS))
}

/// Deletes a vote, unless it waits to be settled: the erasure comes again.
async fn delete(app: &App, vote: &Vote) -> Result<()> {
    let nothing: [u8; 0] = [];
    let settled = Write::delete(vote.key()).lacks("unsettledSince").equals("chosen", nothing);
    app.table.try_write(settled.equals("countedAs", nothing)).await.map(drop)
}
