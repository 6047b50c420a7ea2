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

/// Takes back the next 50 votes, which a worker then applies; then erases those that are applied.
pub(super) async fn page(
    app: &App,
    user: UserId,
    pass: Pass,
    behind: Option<String>,
) -> Result<Option<String>> {
    let query = Query::partition(user.partition()).prefix_from(VOTE_PREFIX, behind);
    let (found, last) = app.table.next_page::<Vote>(query.consistent(), PAGE_ROWS).await?;
    for vote in &found {
        polls::withdraw(app, user, vote.post).await?;
        if pass == Pass::Erasure {
            delete(app, vote).await?;
        }
    }
    Ok(last)
}

/// Deletes a vote, unless it waits to be applied: the erasure comes again.
async fn delete(app: &App, vote: &Vote) -> Result<()> {
    let nothing: [u8; 0] = [];
    let applied = Write::delete(vote.key()).lacks("uncountedSince").equals("chosen", nothing);
    app.table.try_write(applied.equals("countedAs", nothing)).await.map(drop)
}
