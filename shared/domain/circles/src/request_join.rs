//! Sends, withdraws and lists requests to join a circle.

use std::{borrow::Cow, fmt};

use base::{CircleId, Position, PublicUserId, UserId};
use ledger::made::{Made, MadeKind};
use platform::{App, Cursor, Error, FillingPage, Index, Once, Page, Query, Result, Write};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    Circle, JoinRequest, JoinRequestView, JoinStatus, NO_CIRCLE, Permission, join_context::JoinContext,
    join_request, key, permissions,
};
use people::{UserCard, relationships, users};

const PENDING: Error = Error::Invalid(Cow::Borrowed("you have already requested to join this circle"));

/// A pending join request, and the user who sent it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PendingJoinRequest {
    /// The pending request.
    #[serde(flatten)]
    pub request: JoinRequestView,
    /// The user who requests to join.
    pub user: UserCard,
}

/// Requests to join a circle.
///
/// # Errors
/// - [`Error::NotFound`] if the circle does not exist.
/// - [`Error::Invalid`] if the user is a member, or has a pending invitation or request.
/// - [`Error::Forbidden`] if the user is banned, or if a block exists between the user and the owner.
pub async fn request_join(app: &App, user: UserId, circle: CircleId, once: &Once) -> Result<JoinRequestView> {
    once.run(app, user, async || request_writes(app, user, circle).await).await
}

async fn request_writes(app: &App, user: UserId, circle: CircleId) -> Result<(Vec<Write>, JoinRequestView)> {
    let context = JoinContext::of(app, circle, user).await?;
    context.check_unbanned()?;
    check_no_relation(&context)?;
    let request = JoinRequest::new(app, circle, user);
    let writes = vec![
        Write::put(&request).differs("status", JoinStatus::Pending).or(PENDING),
        Circle::check_alive_write(circle),
        relationships::check_unblocked_write(user, context.circle.owner_id),
        Made::new(user, MadeKind::JoinRequest, circle).made_write(),
    ];
    Ok((writes, request.view()))
}

/// Fails if the user is a member, is invited, or has already requested to join.
fn check_no_relation(context: &JoinContext) -> Result<()> {
    let refuse = |why: &'static str| Err(Error::Invalid(why.into()));
    match () {
        () if context.is_member() => refuse("you are already a member of this circle"),
        () if context.has_pending_invitation() => {
            refuse("you are already invited to this circle. Accept the invitation instead.")
        }
        () if context.has_pending_request() => Err(PENDING),
        () => Ok(()),
    }
}

/// Withdraws a user's pending request to join a circle.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the circle does not exist or the user has no pending request.
pub async fn withdraw_request(app: &App, user: UserId, id: CircleId, once: &Once) -> Result<JoinRequestView> {
    once.run(app, user, async || {
        let (circle, request) = (key(id), join_request::key(id, user));
        let mut found = app.table.get_together(&[circle.clone(), request.clone()]).await?;
        found.take::<Circle>(&circle)?.filter(Circle::is_alive).ok_or(NO_CIRCLE)?;
        let request = found.take::<JoinRequest>(&request)?.filter(JoinRequest::is_pending);
        let (withdrawn, write) = request.ok_or(Error::NotFound("join request"))?.withdraw_write();
        Ok((vec![write.marked()], withdrawn.view()))
    })
    .await
}

/// Returns a page of a circle's pending requests, newest first. Omits requests of deleted accounts.
///
/// # Errors
/// - [`Error::NotFound`] if the circle does not exist.
/// - [`Error::Forbidden`] without the permission `ACCEPT_USE_JOIN`.
/// - [`Error::Invalid`] if the cursor is a user who never requested to join this circle.
pub async fn pending_requests(
    app: &App,
    caller: UserId,
    circle: CircleId,
    cursor: Cursor<UserId>,
) -> Result<Page<PendingJoinRequest>> {
    permissions::require(app, circle, caller, Permission::AcceptUseJoin).await?;
    let after = match cursor.after {
        Some(user) => Some(position_of(app, circle, user).await?),
        None => None,
    };
    let mut page = FillingPage::new(Cursor { take: cursor.take, after });
    while let Some(Cursor { take, after }) = page.to_read() {
        let query = Query::index(Index::Gsi2, join_request::pending_partition(circle)).newest_first();
        let query = query.before(after.map(|last: ListPosition| last.position)).limit(take.rows() + 1);
        let requests: Vec<JoinRequest> = app.table.query(&query).await?;
        let (last, read) = (requests.last().map(ListPosition::of), requests.len());
        page.add(with_cards(app, &requests).await?, last, read);
    }
    Ok(page.page(|pending: &PendingJoinRequest| pending.request.request_id.to_string()))
}

/// Returns the requests of the users whose accounts exist.
async fn with_cards(app: &App, requests: &[JoinRequest]) -> Result<Vec<PendingJoinRequest>> {
    let people: Vec<_> = requests.iter().map(|request| request.user).collect();
    let mut cards = users::cards(app, &people).await?;
    let pending = |request: &JoinRequest| {
        Some(PendingJoinRequest { request: request.view(), user: cards.remove(&request.user)? })
    };
    Ok(requests.iter().filter_map(pending).collect())
}

/// The position of a request in the list. Its text form is the cursor: the public ID of the user who sent the request.
#[derive(Clone, Copy)]
struct ListPosition {
    position: Position,
    user: PublicUserId,
}

impl ListPosition {
    fn of(request: &JoinRequest) -> Self {
        Self { position: request.position, user: request.user.public() }
    }
}

impl fmt::Display for ListPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.user.fmt(f)
    }
}

async fn position_of(app: &App, circle: CircleId, user: UserId) -> Result<ListPosition> {
    let request: Option<JoinRequest> = app.table.get(&join_request::key(circle, user)).await?;
    request.as_ref().map(ListPosition::of).ok_or(Error::invalid("after", "must be a request in this list"))
}
