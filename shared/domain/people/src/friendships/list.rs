//! Lists of pending friend requests, newest first.

use base::{Position, UserId};
use platform::{App, Cursor, Error, Index, Page, Query, Result};
use serde::Serialize;
use utoipa::ToSchema;

use super::request::{self, FriendRequest, FriendRequestView, received_partition, sent_partition};
use crate::users::{self, UserCard};

/// A received friend request.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = ReceivedFriendRequest)]
pub struct Received {
    /// The request.
    #[serde(flatten)]
    pub request: FriendRequestView,
    /// The user who sent the request.
    pub sender: UserCard,
}

/// A sent friend request.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = SentFriendRequest)]
pub struct Sent {
    /// The request.
    #[serde(flatten)]
    pub request: FriendRequestView,
    /// The user who received the request.
    pub receiver: UserCard,
}

/// Returns a page of the pending requests that a user received.
///
/// # Errors
/// Fails with [`Error::Invalid`] if the user in the cursor was never in the list.
pub async fn received(app: &App, user: UserId, cursor: Cursor<UserId>) -> Result<Page<Received>> {
    let last = position(app, cursor.after.map(|sender| (sender, user))).await?;
    let query = Query::index(Index::Gsi2, received_partition(user)).before(last);
    let page = page(app, query, cursor, |request| request.sender_id).await?;
    Ok(page.map(|(request, sender)| Received { request, sender }))
}

/// Returns a page of the pending requests that a user sent.
///
/// # Errors
/// Fails with [`Error::Invalid`] if the user in the cursor was never in the list.
pub async fn sent(app: &App, user: UserId, cursor: Cursor<UserId>) -> Result<Page<Sent>> {
    let last = position(app, cursor.after.map(|receiver| (user, receiver))).await?;
    let query = Query::index(Index::Gsi1, sent_partition(user)).before(last);
    let page = page(app, query, cursor, |request| request.receiver_id).await?;
    Ok(page.map(|(request, receiver)| Sent { request, receiver }))
}

/// Returns the position of the request of a pair `(sender, receiver)`, even if the request was already answered.
async fn position(app: &App, pair: Option<(UserId, UserId)>) -> Result<Option<Position>> {
    let Some((sender, receiver)) = pair else { return Ok(None) };
    let request = request::find(app, sender, receiver).await?;
    let position = request.map(|request| Some(request.position));
    position.ok_or(Error::invalid("after", "must be a user in this list"))
}

async fn page(
    app: &App,
    query: Query,
    cursor: Cursor<UserId>,
    other: impl Fn(&FriendRequest) -> UserId,
) -> Result<Page<(FriendRequestView, UserCard)>> {
    let rows = cursor.take.rows() + 1;
    let requests: Vec<FriendRequest> = app.table.query(&query.newest_first().limit(rows)).await?;
    let Page { rows, after } =
        Page::cut(requests, cursor.take, |request| other(request).public().to_string());
    let people: Vec<_> = rows.iter().map(&other).collect();
    let mut cards = users::cards(app, &people).await?;
    let rows = rows.iter().filter_map(|request| Some((request.view(), cards.remove(&other(request))?)));
    Ok(Page { rows: rows.collect(), after })
}
