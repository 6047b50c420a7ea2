//! Sends, accepts and cancels friend requests.

use base::ids::UserId;
use platform::{
    App,
    error::{Error, Result},
    idempotency::Once,
    outbox::outbox_record_write,
    table::Write,
};

use super::{
    events::{FriendAccepted, FriendRequested},
    request::{self, FriendRequest, FriendRequestView, RequestStatus},
};
use crate::{
    profiles, relationships, unique,
    users::{self, Username},
};

const NONE_PENDING: Error = Error::NotFound("pending friend request");

/// Sends a friend request.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the user does not exist. Fails with [`Error::Forbidden`] if a block exists between
/// the two users. Fails with [`Error::Invalid`] if the user is the caller or a friend, or if a request between the two
/// is pending.
pub async fn send(app: &App, sender: UserId, name: &Username, once: &Once) -> Result<FriendRequestView> {
    let still_unblocked = async |earlier: FriendRequest| {
        relationships::check_unblocked(app, sender, earlier.receiver_id).await.map(|()| earlier)
    };
    let request = once.run_while(app, sender, still_unblocked, async || {
        let receiver = profiles::find_other_user(app, sender, name).await?;
        let earlier = request::find_all(app, &[(sender, receiver), (receiver, sender)]).await?;
        earlier.iter().try_for_each(check_cancelled)?;
        let request = FriendRequest::new(app, sender, receiver);
        let writes = vec![
            request.send_write(),
            request::check_none_open(receiver, sender),
            relationships::check_unblocked_write(sender, receiver),
            pending_count_write(receiver, 1),
            outbox_record_write(app).then_publish(&requested_event(&request)),
        ];
        Ok((writes, request))
    });
    Ok(request.await?.view())
}

fn check_cancelled(request: &FriendRequest) -> Result<()> {
    match request.status {
        RequestStatus::Cancelled => Ok(()),
        RequestStatus::Accepted => Err(Error::invalid("username", "is already your friend")),
        RequestStatus::Pending => {
            Err(Error::invalid("username", "a friend request between you is already pending"))
        }
    }
}

/// Accepts a received friend request.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the user does not exist or has no pending request to the receiver.
pub async fn accept(app: &App, receiver: UserId, name: &Username) -> Result<FriendRequestView> {
    let sender = unique::user_named(app, name).await?;
    let request = request::find(app, sender, receiver).await?.ok_or(NONE_PENDING)?;
    if !request.is_pending() {
        return Err(NONE_PENDING);
    }
    let accepted = request.accepted(app);
    answer(app, &accepted, accepted.answer_write().then_publish(&accepted_event(&accepted))).await?;
    Ok(accepted.view())
}

/// Cancels a pending request between the caller and another user, in either direction.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the user does not exist or no request between the two is pending.
pub async fn cancel(app: &App, caller: UserId, name: &Username) -> Result<FriendRequestView> {
    let other = unique::user_named(app, name).await?;
    if other == caller {
        return Err(NONE_PENDING);
    }
    let requests = request::find_all(app, &[(caller, other), (other, caller)]).await?;
    let request = requests.into_iter().find(FriendRequest::is_pending).ok_or(NONE_PENDING)?;
    let cancelled = request.answered(RequestStatus::Cancelled, app.now());
    answer(app, &cancelled, cancelled.answer_write()).await?;
    Ok(cancelled.view())
}

/// Writes the answer to a request, and decrements the receiver's count of pending requests.
async fn answer(app: &App, request: &FriendRequest, answer_write: Write) -> Result<()> {
    let count_write = pending_count_write(request.receiver_id, -1);
    app.table.transact(vec![answer_write.or(NONE_PENDING), count_write]).await
}

/// Returns the write that changes the receiver's count of pending requests.
pub(super) fn pending_count_write(receiver: UserId, by: i64) -> Write {
    Write::update(users::key(receiver)).add("friendRequestsPending", by).exists()
}

fn requested_event(request: &FriendRequest) -> FriendRequested {
    let &FriendRequest { sender_id, receiver_id, created_at, .. } = request;
    FriendRequested { sender_id, receiver_id, created_at }
}

fn accepted_event(request: &FriendRequest) -> FriendAccepted {
    let &FriendRequest { sender_id, receiver_id, created_at, answered_at, .. } = request;
    FriendAccepted { sender_id, receiver_id, created_at: answered_at.unwrap_or(created_at) }
}
