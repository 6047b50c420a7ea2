//! Posts of a deleted user.

use base::{PostId, UserId};
use futures::{StreamExt, TryStreamExt, stream};
use platform::{App, Result};
use posts::{Post, PostList};

use super::{circles, log, pass::Pass};

const PAGE_ROWS: usize = 50;
const PARALLEL_POSTS: usize = 8;
/// A cursor that sorts before all IDs.
const FIRST: &str = "0";
const WRITTEN_RANGE: [&str; 2] = ["ACTION#POST_CREATED#", "ACTION#POST_CREATED#~"];

/// Withdraws or erases the user's next 50 posts in a list. Repeats the page if a post has too many quotes and reposts
/// to erase in one step.
pub(super) async fn page(
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
/// the user from the circles of these posts.
pub(super) async fn written(app: &App, user: UserId, cursor: Option<String>) -> Result<Option<String>> {
    let same_page = cursor.clone().unwrap_or_else(|| WRITTEN_RANGE[0].to_owned());
    let (actions, last) = log::actions(app, user, WRITTEN_RANGE, cursor, PAGE_ROWS).await?;
    for action in &actions {
        let Ok(post) = action.target_id.parse::<PostId>() else { continue };
        if !posts::erase_author(app, user, post).await? {
            return Ok(Some(same_page));
        }
        if let Some(circle) = ::circles::circle_of(app, user, post).await? {
            circles::remove_user(app, user, circle).await?;
        }
    }
    Ok(last)
}
