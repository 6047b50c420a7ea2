//! Asking to be let in.

use platform::{
    App,
    error::{Error, Result},
    idempotency::Once,
    page::{Cursor, Page},
    table::{Index, Key, Query, Row, Write},
    time::Time,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{
    Circle, Permission, circle, permissions,
    standing::{JoinContext, MEANWHILE},
};
use crate::{
    ids::{CircleId, Position, PublicUserId, UserId},
    people::{
        relationships,
        users::{self, UserCard},
    },
};

const WAITING: Error = Error::Invalid(std::borrow::Cow::Borrowed("you have asked already"));

/// What became of a request or an invitation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum JoinStatus {
    /// It waits for an answer.
    Pending,
    /// They are in.
    Accepted,
    /// They are not.
    Rejected,
}

/// That somebody asks to be let in. When it is answered the row stays: it may be a client's cursor.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct JoinRequest {
    /// Where.
    pub circle: CircleId,
    /// Who.
    pub user: UserId,
    /// What became of it.
    pub status: JoinStatus,
    /// Where it stands in the list.
    pub position: Position,
    /// When they asked.
    pub created_at: Time,
    /// Who answered.
    pub answered_by_id: Option<UserId>,
    /// When.
    pub answered_at: Option<Time>,
}

/// A request to be let in, as it is answered.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct JoinRequestView {
    /// Names the request in its circle: there is one for each user.
    pub request_id: PublicUserId,
    /// The circle.
    pub circle_id: CircleId,
    /// Who asks.
    pub user_id: UserId,
    /// What became of it.
    pub status: JoinStatus,
    /// When they asked.
    pub created_at: Time,
}

/// A request that waits, and who asks.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Asking {
    /// The request.
    #[serde(flatten)]
    pub request: JoinRequestView,
    /// Who asks.
    pub user: UserCard,
}

/// Asks to be let in. 2 calls: 5 RRU, 7 WRU.
///
/// # Errors
/// [`Error::NotFound`] for no such circle; [`Error::Invalid`] for a member, for who was invited, and while
/// an earlier request waits; [`Error::Forbidden`] where a block stands between the owner and who asks.
pub async fn ask(app: &App, user: UserId, circle: CircleId, once: &Once) -> Result<JoinRequestView> {
    once.run(app, user, request(app, user, circle)).await
}

async fn request(app: &App, user: UserId, circle: CircleId) -> Result<(Vec<Write>, JoinRequestView)> {
    let standing = JoinContext::of(app, circle, user).await?;
    match () {
        () if standing.is_in() => return Err(Error::Invalid("you are in this circle already".into())),
        () if standing.is_invited() => return Err(Error::Invalid("you are invited: accept that".into())),
        () if standing.asks() => return Err(WAITING),
        () => {}
    }
    let request = JoinRequest::new(app, circle, user);
    let asking = Write::put(&request).differs("status", JoinStatus::Pending).or(WAITING);
    let unblocked = relationships::check_unblocked_write(user, standing.circle.owner_id);
    Ok((vec![asking, Circle::living(circle), unblocked], request.view()))
}

/// Requests that wait, the newest first. 3 calls, or 2 within 30 seconds of another: 2 RRU, 0.5 for each
/// 4 KB of requests and for each who asks; 1 call and 1 RRU more behind a cursor.
///
/// # Errors
/// [`Error::NotFound`] for no such circle; [`Error::Forbidden`] without `ACCEPT_USE_JOIN`;
/// [`Error::Invalid`] for a cursor that never was in the list.
pub async fn asking(
    app: &App,
    caller: UserId,
    circle: CircleId,
    cursor: Cursor<UserId>,
) -> Result<Page<Asking>> {
    permissions::require(app, circle, caller, Permission::AcceptUseJoin).await?;
    let last = match cursor.after {
        Some(user) => Some(position(app, circle, user).await?),
        None => None,
    };
    let query = Query::index(Index::Gsi2, format!("JOINS#{circle}")).newest_first().before(last);
    let requests: Vec<JoinRequest> = app.table.query(&query.limit(cursor.take.rows() + 1)).await?;
    let Page { rows, after } = Page::cut(requests, cursor.take, |it| it.user.public().to_string());
    let people: Vec<_> = rows.iter().map(|it| it.user).collect();
    let mut cards = users::cards(app, &people).await?;
    let rows =
        rows.iter().filter_map(|it| Some(Asking { request: it.view(), user: cards.remove(&it.user)? }));
    Ok(Page { rows: rows.collect(), after })
}

async fn position(app: &App, circle: CircleId, user: UserId) -> Result<Position> {
    let request: Option<JoinRequest> = app.table.get(&key(circle, user)).await?;
    Ok(request.ok_or(Error::invalid("after", "must be a request of this list"))?.position)
}

impl JoinRequest {
    fn new(app: &App, circle: CircleId, user: UserId) -> Self {
        let now = app.now();
        Self {
            circle,
            user,
            status: JoinStatus::Pending,
            position: app.ids.next(now),
            created_at: now,
            answered_by_id: None,
            answered_at: None,
        }
    }

    /// Whether it waits for an answer.
    pub fn is_pending(&self) -> bool {
        self.status == JoinStatus::Pending
    }

    /// The same request, answered now.
    pub(super) fn answered(&self, app: &App, by: UserId, status: JoinStatus) -> Self {
        Self { status, answered_by_id: Some(by), answered_at: Some(app.now()), ..self.clone() }
    }

    /// That it is answered as it now says; refused unless it waits.
    pub(super) fn answering(&self) -> Write {
        let write = Write::reindex(self).set("status", self.status).set("answeredAt", self.answered_at);
        let write = write.set("answeredById", self.answered_by_id).equals("position", self.position);
        write.equals("status", JoinStatus::Pending).or(MEANWHILE)
    }

    /// As clients see it.
    pub fn view(&self) -> JoinRequestView {
        JoinRequestView {
            request_id: self.user.public(),
            circle_id: self.circle,
            user_id: self.user,
            status: self.status,
            created_at: self.created_at,
        }
    }
}

pub(super) fn key(circle: CircleId, user: UserId) -> Key {
    Key::new(circle::pk(circle), format!("JOIN#{user}"))
}

/// `CIRCLE#id / JOIN#u`, while it waits gsi2 `JOINS#circle` / position
impl Row for JoinRequest {
    fn key(&self) -> Key {
        key(self.circle, self.user)
    }

    fn indexes(&self) -> Vec<(Index, Key)> {
        if !self.is_pending() {
            return Vec::new();
        }
        vec![(Index::Gsi2, Key::new(format!("JOINS#{}", self.circle), self.position.to_string()))]
    }
}
