//! Removes the friend requests and friendships of a deleted account. Updates the other users' counts of pending
//! requests.

use base::UserId;
use platform::{App, Index, Query, Result, Row, retry_on_conflict};

use super::{
    change::pending_count_write,
    request::{FriendRequest, find, friends_partition, received_partition},
};
use crate::users;

/// Number of requests in a page.
const PAGE_ROWS: usize = 25;
const PREFIX: &str = "FREQ#";

/// Deletes the next 25 pending requests that a user received. Returns the cursor of the next page, or `None` after the
/// last page.
pub async fn delete_received_page(app: &App, user: UserId, after: Option<String>) -> Result<Option<String>> {
    delete_page(app, received_partition(user), after).await
}

/// Deletes the next 25 friendships that began with a request to the user. Returns the cursor of the next page, or
/// `None` after the last page.
pub async fn delete_friends_page(app: &App, user: UserId, after: Option<String>) -> Result<Option<String>> {
    delete_page(app, friends_partition(user), after).await
}

async fn delete_page(app: &App, partition: String, after: Option<String>) -> Result<Option<String>> {
    let query = Query::index(Index::Gsi2, partition).after(after).limit(PAGE_ROWS);
    let requests: Vec<FriendRequest> = app.table.query(&query).await?;
    app.table.delete_rows(requests.iter().map(Row::key).collect()).await?;
    let last = requests.last().filter(|_| requests.len() == PAGE_ROWS).map(Row::indexes);
    Ok(last.and_then(|keys| keys.into_iter().find(|(index, _)| *index == Index::Gsi2)).map(|(_, key)| key.sk))
}

/// Reads the next 25 requests that a user sent, and cancels the pending requests among them. Returns the cursor of the
/// next page, or `None` after the last page.
pub async fn cancel_sent_page(app: &App, user: UserId, after: Option<String>) -> Result<Option<String>> {
    let (requests, last) = sent_page(app, user, after).await?;
    cancel_pending(app, &requests).await.map(|()| last)
}

/// Deletes friend requests, and updates the receivers' counts of pending requests.
pub async fn delete_sent(app: &App, requests: &[FriendRequest]) -> Result<()> {
    cancel_pending(app, requests).await?;
    app.table.delete_rows(requests.iter().map(Row::key).collect()).await
}

/// Returns the next 25 requests that a user sent, in any status, and the cursor of the next page.
pub async fn sent_page(
    app: &App,
    user: UserId,
    after: Option<String>,
) -> Result<(Vec<FriendRequest>, Option<String>)> {
    let query = Query::partition(user.partition()).prefix_from(PREFIX, after).consistent();
    app.table.next_page(query, PAGE_ROWS).await
}

async fn cancel_pending(app: &App, requests: &[FriendRequest]) -> Result<()> {
    for request in requests.iter().filter(|request| request.is_pending()) {
        cancel(app, request).await?;
    }
    Ok(())
}

/// Cancels a pending request, and decrements the receiver's count of pending requests if the receiver exists.
async fn cancel(app: &App, request: &FriendRequest) -> Result<()> {
    let (sender, receiver) = (request.sender_id, request.receiver_id);
    retry_on_conflict(async || {
        let found = find(app, sender, receiver).await?.filter(FriendRequest::is_pending);
        let Some(pending) = found else { return Ok(()) };
        let end = pending.end_write(app.now());
        match users::find(app, receiver).await? {
            Some(_) => app.table.transact(vec![end, pending_count_write(receiver, -1)]).await,
            None => app.table.write(end).await,
        }
    })
    .await
}
