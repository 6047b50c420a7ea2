//! What somebody who leaves wrote in the network.

use base::ids::{PostId, UserId};
use futures::{StreamExt, TryStreamExt, stream};
use ledger::action_log::Action;
use platform::{App, Result, table::Query};
use posts::Shelf;
use ulid::Ulid;

use super::{circles, pass::Pass};

/// Posts of a page.
const PAGE_ROWS: usize = 50;
const AT_ONCE: usize = 8;
/// Before all ids.
const FIRST: &str = "0";
/// What the log says of posts that were written lies between these sort keys.
const WRITTEN: [&str; 2] = ["ACTION#POST_CREATED#", "ACTION#POST_CREATED#~"];

/// Withdraws or erases the next 50 posts, quotes and reposts that lists show; a page of which one was quoted or
/// reposted so often that it could not be erased at once is looked at again.
pub(super) async fn listed(
    app: &App,
    user: UserId,
    pass: Pass,
    behind: Option<String>,
) -> Result<Option<String>> {
    page(app, user, (pass, Shelf::Listed), behind).await
}

/// Withdraws or erases the next 50 replies.
pub(super) async fn answers(
    app: &App,
    user: UserId,
    pass: Pass,
    behind: Option<String>,
) -> Result<Option<String>> {
    page(app, user, (pass, Shelf::Answers), behind).await
}

/// Erases the next 50 quotes and reposts that no list shows, and what was withdrawn.
pub(super) async fn unlisted(
    app: &App,
    user: UserId,
    pass: Pass,
    behind: Option<String>,
) -> Result<Option<String>> {
    page(app, user, (pass, Shelf::Unlisted), behind).await
}

async fn page(
    app: &App,
    user: UserId,
    (pass, shelf): (Pass, Shelf),
    behind: Option<String>,
) -> Result<Option<String>> {
    let again = behind.clone().unwrap_or_else(|| FIRST.to_owned());
    let found = posts::page_of(app, user, shelf, behind, PAGE_ROWS).await?;
    let last = found.last().map(|it| it.id.to_string()).filter(|_| found.len() == PAGE_ROWS);
    let gone = found.iter().map(async |it| match pass {
        Pass::Withdrawal => posts::withdraw(app, user, it.id).await.map(|()| true),
        Pass::Erasure => posts::orphan(app, user, it.id).await,
    });
    let all_gone = stream::iter(gone).buffer_unordered(AT_ONCE).try_fold(true, async |all, it| Ok(all && it));
    Ok(if all_gone.await? { last } else { Some(again) })
}

/// Erases the posts that the next 50 entries of the log name: also those that were deleted or hidden before; and looks
/// at the circles in which posts were written.
pub(super) async fn written(app: &App, user: UserId, behind: Option<String>) -> Result<Option<String>> {
    let [low, high] = WRITTEN.map(str::to_owned);
    let low = behind.unwrap_or(low);
    let query = Query::partition(user.partition()).between(&low, high).consistent();
    let actions: Vec<Action> = app.table.query(&query.limit(PAGE_ROWS)).await?;
    let last = actions.last().map(sort_key).filter(|_| actions.len() == PAGE_ROWS);
    for action in &actions {
        let Ok(post) = action.target_id.parse::<Ulid>().map(PostId::from) else { continue };
        if !posts::orphan(app, user, post).await? {
            return Ok(Some(low));
        }
        if let Some(circle) = ::circles::circle_of(app, user, post).await? {
            circles::forget(app, user, circle).await?;
        }
    }
    Ok(last)
}

fn sort_key(action: &Action) -> String {
    platform::table::Row::key(action).sk
}
