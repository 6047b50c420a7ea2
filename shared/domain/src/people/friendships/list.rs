//! Requests that wait, newest first.

use platform::{
    App,
    error::{Error, Result},
    page::{Cursor, Page},
    table::{Index, Query},
};
use serde::Serialize;
use utoipa::ToSchema;

use super::request::{self, FriendRequest, FriendRequestView};
use crate::{
    ids::{Position, UserId},
    people::users::{self, UserCard},
};

/// A request that somebody received.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = ReceivedFriendRequest)]
pub struct Received {
    /// The request.
    #[serde(flatten)]
    pub request: FriendRequestView,
    /// Who asks.
    pub sender: UserCard,
}

/// A request that somebody sent.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = SentFriendRequest)]
pub struct Sent {
    /// The request.
    #[serde(flatten)]
    pub request: FriendRequestView,
    /// Who is asked.
    pub receiver: UserCard,
}

/// What others asked of a person and waits for the answer. 2 calls at a page of 20: 0.5 RRU for each
/// 4 KB of requests and for each card; 1 call and 1 RRU more behind a cursor.
///
/// # Errors
/// [`Error::Invalid`] for a cursor that never was in the list.
pub async fn received(app: &App, user: UserId, cursor: Cursor<UserId>) -> Result<Page<Received>> {
    let last = match cursor.after {
        Some(sender) => position(request::find(app, sender, user).await?)?,
        None => None,
    };
    let query = Query::index(Index::Gsi2, format!("FREQ_RECEIVED#{user}")).before(last);
    let page = page(app, query, cursor, |it| it.sender_id).await?;
    Ok(page.map(|(request, sender)| Received { request, sender }))
}

/// What a person asked of others and waits for the answer. As [`received`].
///
/// # Errors
/// [`Error::Invalid`] for a cursor that never was in the list.
pub async fn sent(app: &App, user: UserId, cursor: Cursor<UserId>) -> Result<Page<Sent>> {
    let last = match cursor.after {
        Some(receiver) => position(request::find(app, user, receiver).await?)?,
        None => None,
    };
    let query = Query::index(Index::Gsi1, format!("FREQ_SENT#{user}")).before(last);
    let page = page(app, query, cursor, |it| it.receiver_id).await?;
    Ok(page.map(|(request, receiver)| Sent { request, receiver }))
}

/// Where a request stands, or stood.
fn position(request: Option<FriendRequest>) -> Result<Option<Position>> {
    let request = request.ok_or(Error::invalid("after", "must be a user of this list"))?;
    Ok(Some(request.position))
}

async fn page(
    app: &App,
    query: Query,
    cursor: Cursor<UserId>,
    who: impl Fn(&FriendRequest) -> UserId,
) -> Result<Page<(FriendRequestView, UserCard)>> {
    let rows = cursor.take.rows() + 1;
    let requests: Vec<FriendRequest> = app.table.query(&query.newest_first().limit(rows)).await?;
    let Page { rows, after } = Page::cut(requests, cursor.take, |it| who(it).to_string());
    let people: Vec<_> = rows.iter().map(&who).collect();
    let mut cards = users::cards(app, &people).await?;
    let rows = rows.iter().filter_map(|it| Some((it.view(), cards.remove(&who(it))?)));
    Ok(Page { rows: rows.collect(), after })
}
