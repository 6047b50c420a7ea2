//! Posts of a deleted user.

use base::ids::{PostId, UserId};
use futures::{StreamExt, TryStreamExt, stream};
use ledger::action_log::Action;
use platform::{App, Result, table::Query};
use posts::{Post, PostList};
use ulid::Ulid;

use super::{circles, pass::Pass};

/// Posts per page.
const PAGE_ROWS: usize = 50;
const PARALLEL_POSTS: usize = 8;
/// A cursor that sorts before all IDs.
const FIRST: &str = "0";
/// Range of the sort keys of posts in the action log.
const WRITTEN_RANGE: [&str; 2] = ["ACTION#POST_CREATED#", "ACTION#POST_CREATED#~"];

/// Withdraws or erases the next 50 posts, quotes and reposts that appear in lists. Returns the cursor of the next page,
/// if any. Repeats the page if a post has too many quotes and reposts to erase in one step.
pub(super) async fn listed(
    app: &App,
    user: UserId,
    pass: Pass,
    cursor: Option<String>,
) -> Result<Option<String>> {
    page(app, user, (pass, PostList::Listed), cursor).await
}

/// Withdraws or erases the next 50 replies. Returns the cursor of the next page, if any.
pub(super) async fn replies(
    app: &App,
    user: UserId,
    pass: Pass,
    cursor: Option<String>,
) -> Result<Option<String>> {
    page(app, user, (pass, PostList::Answers), cursor).await
}

/// Erases the next 50 hidden posts, quotes and reposts. Returns the cursor of the next page, if any.
pub(super) async fn hidden(
    app: &App,
    user: UserId,
    pass: Pass,
    cursor: Option<String>,
) -> Result<Option<String>> {
    page(app, user, (pass, PostList::Hidden), cursor).await
}

/// Erases the next 50 deleted quotes and reposts, and withdrawn posts. Returns the cursor of the next page, if any.
pub(super) async fn unlisted(
    app: &App,
    user: UserId,
    pass: Pass,
    cursor: Option<String>,
) -> Result<Option<String>> {
    page(app, user, (pass, PostList::Unlisted), cursor).await
}

async fn page(
    app: &App,
    user: UserId,
    (pass, list): (Pass, PostList),
    cursor: Option<String>,
) -> Result<Option<String>> {
    let same_page = cursor.clone().unwrap_or_else(|| FIRST.to_owned());
    let found: Vec<Post> = posts::next_posts(app, user, list, cursor, PAGE_ROWS).await?;
    let last = found.last().map(|post| post.id.to_string()).filter(|_| found.len() == PAGE_ROWS);
    let erased = found.iter().map(async |post| match pass {
        Pass::Withdrawal => posts::withdraw(app, user, post.id).await.map(|()| true),
        Pass::Erasure => posts::erase_author(app, user, post.id).await,
    });
    let all_erased =
        stream::iter(erased).buffer_unordered(PARALLEL_POSTS).try_fold(true, async |all, one| Ok(all && one));
    Ok(if all_erased.await? { last } else { Some(same_page) })
}

/// Erases the posts that the next 50 entries in the action log refer to, including deleted and hidden posts. Removes
/// the user from the circles of these posts. Returns the cursor of the next page, if any.
pub(super) async fn written(app: &App, user: UserId, cursor: Option<String>) -> Result<Option<String>> {
    let [low, high] = WRITTEN_RANGE.map(str::to_owned);
    let low = cursor.unwrap_or(low);
    let query = Query::partition(user.partition()).between(&low, high).consistent();
    let actions: Vec<Action> = app.table.query(&query.limit(PAGE_ROWS)).await?;
    let last = actions.last().map(sort_key).filter(|_| actions.len() == PAGE_ROWS);
    for action in &actions {
        let Ok(post) = action.target_id.parse::<Ulid>().map(PostId::from) else { continue };
        if !posts::erase_author(app, user, post).await? {
            return Ok(Some(low));
        }
        if let Some(circle) = ::circles::circle_of(app, user, post).await? {
            circles::remove_user(app, user, circle).await?;
        }
    }
    Ok(last)
}

fn sort_key(action: &Action) -> String {
    platform::table::Row::key(action).sk
}
