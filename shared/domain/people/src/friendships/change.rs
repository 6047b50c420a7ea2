//! Sends, accepts and cancels friend requests.

use base::{Chore, UserId};
use platform::{App, Error, Once, Result, Time, Write, outbox_record_write, retry_on_conflict};

use super::{FriendAccepted, FriendRequest, FriendRequestView, FriendRequested, RequestStatus, request};
use crate::{UserRef, profiles, relationships, unique, users};

const NONE_PENDING: Error = Error::NotFound("pending friend request");

/// Sends a friend request.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the user does not exist. Fails with [`Error::Forbidden`] if a block exists between
/// the two users. Fails with [`Error::Invalid`] if the user is the caller or a friend, or if a request between the two
/// users is pending.
pub async fn send(app: &App, sender: UserId, name: &UserRef, once: &Once) -> Result<FriendRequestView> {
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

/// Accepts a received friend request. Has no effect if the request is already accepted.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the user does not exist or has no pending request to the receiver.
pub async fn accept(app: &App, receiver: UserId, name: &UserRef) -> Result<FriendRequestView> {
    let sender = unique::user_named(app, name).await?;
    retry_on_conflict(async || {
        let request = request::find(app, sender, receiver).await?.ok_or(NONE_PENDING)?;
        match request.status {
            RequestStatus::Cancelled => Err(NONE_PENDING),
            RequestStatus::Accepted => Ok(request.view()),
            RequestStatus::Pending => {
                let accepted = request.accepted(app);
                let accept_write = accepted.answer_write().then_publish(&accepted_event(&accepted));
                answer(app, &accepted, accept_write).await
            }
        }
    })
    .await
}

/// Cancels a pending request between the caller and another user, in either direction. The receiver's notification
/// disappears. Has no effect if the newest request between the two users was already canceled.
///
/// # Errors
/// Fails with [`Error::NotFound`] if the user does not exist or is a friend. Also fails if the two users have no
/// pending request, and no request that was canceled within 30 days.
pub async fn cancel(app: &App, caller: UserId, name: &UserRef) -> Result<FriendRequestView> {
    let other = unique::user_named(app, name).await?;
    if other == caller {
        return Err(NONE_PENDING);
    }
    retry_on_conflict(async || {
        let requests = request::find_all(app, &[(caller, other), (other, caller)]).await?;
        // At most one of the two requests is pending or accepted.
        let newest = requests.iter().max_by_key(|request| (request.is_open(), request.position));
        let request = newest.ok_or(NONE_PENDING)?;
        match request.status {
            RequestStatus::Accepted => Err(NONE_PENDING),
            RequestStatus::Cancelled => Ok(request.view()),
            RequestStatus::Pending => {
                let at = app.now();
                let cancelled = request.answered(RequestStatus::Cancelled, at);
                let cancel_write = cancelled.answer_write().then(&withdraw_chore(request, at));
                answer(app, &cancelled, cancel_write).await
            }
        }
    })
    .await
}

/// Writes the answer to a request, and decrements the receiver's count of pending requests.
async fn answer(app: &App, request: &FriendRequest, answer_write: Write) -> Result<FriendRequestView> {
    let count_write = pending_count_write(request.receiver_id, -1);
    app.table.transact(vec![answer_write, count_write]).await.map(|()| request.view())
}

/// Returns the write that changes the receiver's count of pending requests.
pub(super) fn pending_count_write(receiver: UserId, by: i64) -> Write {
    Write::update(users::key(receiver)).add("friendRequestsPending", by).exists()
}

fn withdraw_chore(request: &FriendRequest, at: Time) -> Chore {
    let &FriendRequest { sender_id: sender, receiver_id: receiver, created_at: sent_at, .. } = request;
    Chore::WithdrawFriendRequest { sender, receiver, sent_at, at }
}

fn requested_event(request: &FriendRequest) -> FriendRequested {
    let &FriendRequest { sender_id, receiver_id, created_at, .. } = request;
    FriendRequested { sender_id, receiver_id, created_at }
}

fn accepted_event(request: &FriendRequest) -> FriendAccepted {
    let &FriendRequest { sender_id, receiver_id, created_at, answered_at, .. } = request;
    FriendAccepted { sender_id, receiver_id, created_at: answered_at.unwrap_or(created_at) }
}
