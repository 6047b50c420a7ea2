//! Ending friend requests and friendships, when somebody leaves the network. The counts of the others stay exact.

use base::ids::UserId;
use platform::{
    App,
    error::Result,
    retry_on_conflict,
    table::{Index, Key, Query, Row, Write},
};

use super::{
    change::pending_count_write,
    request::{FriendRequest, find, friends_partition, received_partition},
};
use crate::users;

/// Requests of a page.
const PAGE_ROWS: usize = 25;
const PREFIX: &str = "FREQ#";

/// Deletes the next 25 pending requests to a user. Returns where the next page begins.
pub async fn withdraw_received_page(
    app: &App,
    user: UserId,
    after: Option<String>,
) -> Result<Option<String>> {
    delete_page(app, received_partition(user), after).await
}

/// Deletes the next 25 friendships for which the other had asked. Returns where the next page begins.
pub async fn delete_friends_page(app: &App, user: UserId, after: Option<String>) -> Result<Option<String>> {
    delete_page(app, friends_partition(user), after).await
}

async fn delete_page(app: &App, partition: String, after: Option<String>) -> Result<Option<String>> {
    let query = Query::index(Index::Gsi2, partition).after(after).limit(PAGE_ROWS);
    let requests: Vec<FriendRequest> = app.table.query(&query).await?;
    let keys: Vec<_> = requests.iter().map(Row::key).collect();
    app.table.batch_write::<FriendRequest>(&[], &keys).await?;
    let last = requests.last().filter(|_| requests.len() == PAGE_ROWS).map(Row::indexes);
    Ok(last.and_then(|it| it.into_iter().find(|(index, _)| *index == Index::Gsi2)).map(|(_, key)| key.sk))
}

/// Cancels those of a user's next 25 requests that are pending. Returns where the next page begins.
pub async fn withdraw_sent_page(app: &App, user: UserId, after: Option<String>) -> Result<Option<String>> {
    let (requests, last) = sent_page(app, user, after).await?;
    for request in requests.iter().filter(|it| it.is_pending()) {
        cancel(app, request).await?;
    }
    Ok(last)
}

/// Cancels requests that are pending, and deletes all of them.
pub async fn delete_sent(app: &App, requests: &[FriendRequest]) -> Result<()> {
    for request in requests.iter().filter(|it| it.is_pending()) {
        cancel(app, request).await?;
    }
    let keys: Vec<_> = requests.iter().map(Row::key).collect();
    app.table.batch_write::<FriendRequest>(&[], &keys).await
}

/// Returns the next 25 requests of a user, whatever became of them, and where the next page begins.
pub async fn sent_page(
    app: &App,
    user: UserId,
    after: Option<String>,
) -> Result<(Vec<FriendRequest>, Option<String>)> {
    let query = Query::partition(user.partition()).prefix_from(PREFIX, after).consistent();
    let requests: Vec<FriendRequest> = app.table.query(&query.limit(PAGE_ROWS)).await?;
    let last = requests.last().map(|it| it.key()).map(|Key { sk, .. }| sk);
    let last = last.filter(|_| requests.len() == PAGE_ROWS);
    Ok((requests, last))
}

/// Cancels a pending request, and counts it for its receiver no more, if that one has an account.
async fn cancel(app: &App, request: &FriendRequest) -> Result<()> {
    let (sender, receiver) = (request.sender_id, request.receiver_id);
    retry_on_conflict(async || {
        let found = find(app, sender, receiver).await?.filter(FriendRequest::is_pending);
        let Some(pending) = found else { return Ok(()) };
        let end: Write = pending.end_write(app.now());
        match users::find(app, receiver).await? {
            Some(_) => app.table.transact(vec![end, pending_count_write(receiver, -1)]).await,
            None => app.table.write(end).await,
        }
    })
    .await
}
