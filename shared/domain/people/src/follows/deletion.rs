//! Removes the follows by and of a deleted account, and updates the counts of the other users.

use base::{Position, UserId};
use futures::{StreamExt, TryStreamExt, stream};
use platform::{App, Query, Result, Write, retry_on_conflict};

use super::{Follow, find, key, merged::joined_key, oldest_of};
use crate::{relationships, users};

/// Number of follows in a page.
const PAGE_ROWS: usize = 50;
const AT_ONCE: usize = 8;
const PREFIX: &str = "FOLLOW#";

/// Removes the next 50 followers of a user. Returns the cursor of the next page, or `None` after the last page.
pub async fn end_follower_page(app: &App, user: UserId, after: Option<Position>) -> Result<Option<Position>> {
    let follows = oldest_of(app, user, after, PAGE_ROWS).await?;
    let last = follows.last().map(|follow| follow.position).filter(|_| follows.len() == PAGE_ROWS);
    let deletes = follows.iter().map(|follow| delete(app, follow, follow.follower_id, "followingCount"));
    stream::iter(deletes).buffer_unordered(AT_ONCE).try_collect::<()>().await.map(|()| last)
}

/// Deletes the next 50 follows that a user made, including ended follows. Returns the cursor of the next page, or
/// `None` after the last page.
pub async fn end_followed_page(app: &App, user: UserId, after: Option<String>) -> Result<Option<String>> {
    let query = Query::partition(user.partition()).prefix_from(PREFIX, after).consistent();
    let (follows, last) = app.table.next_page::<Follow>(query, PAGE_ROWS).await?;
    let deletes = follows.iter().map(|follow| delete(app, follow, follow.following_id, "followersCount"));
    stream::iter(deletes).buffer_unordered(AT_ONCE).try_collect::<()>().await.map(|()| last)
}

/// Deletes a current or former follower's rows about `user`.
pub async fn erase_follower(app: &App, user: UserId, follower: UserId) -> Result<()> {
    if let Some(follow) = find(app, follower, user).await? {
        delete(app, &follow, follower, "followingCount").await?;
    }
    app.table.delete_rows(vec![relationships::key(follower, user), joined_key(follower, user)]).await
}

/// Deletes the row of a follow. If the follow has not ended, also subtracts 1 from the attribute `counter` of
/// `counting_user`, unless that user was deleted.
async fn delete(app: &App, follow: &Follow, counting_user: UserId, counter: &str) -> Result<()> {
    let (follower, followed) = (follow.follower_id, follow.following_id);
    retry_on_conflict(async || {
        let Some(follow) = find(app, follower, followed).await? else { return Ok(()) };
        let delete_write = Write::delete(key(follower, followed)).equals("isFollowing", follow.is_following);
        match follow.is_following && users::find(app, counting_user).await?.is_some() {
            true => {
                let count_write = Write::update(users::key(counting_user)).add(counter, -1).exists();
                app.table.transact(vec![delete_write.into(), count_write]).await
            }
            false => app.table.write(delete_write).await,
        }
    })
    .await
}
