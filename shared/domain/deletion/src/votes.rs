//! Votes of a deleted user.

use base::UserId;
use platform::{App, Query, Result, Row, Write};
use posts::polls::{self, VOTE_PREFIX, Vote};

use super::pass::Pass;

const PAGE_ROWS: usize = 50;

/// Removes the user's next 50 votes. A worker later subtracts these votes from the polls' counts. An erasure also
/// deletes the rows of votes that have been subtracted.
pub(super) async fn page(
    app: &App,
    user: UserId,
    pass: Pass,
    cursor: Option<String>,
) -> Result<Option<String>> {
    let query = Query::partition(user.partition()).prefix_from(VOTE_PREFIX, cursor);
    let (found, last) = app.table.next_page::<Vote>(query.consistent(), PAGE_ROWS).await?;
    for vote in &found {
        polls::remove_vote(app, user, vote.post).await?;
        if pass == Pass::Erasure {
            delete(app, vote).await?;
        }
    }
    Ok(last)
}

/// Deletes the row of a removed vote if the vote has been subtracted from the poll's counts. Otherwise, the next
/// erasure deletes the row.
async fn delete(app: &App, vote: &Vote) -> Result<()> {
    let nothing: [u8; 0] = [];
    let applied = Write::delete(vote.key()).lacks("uncountedSince").equals("chosen", nothing);
    app.table.try_write(applied.equals("countedAs", nothing)).await.map(drop)
}
