//! Sending, accepting and calling off.

use platform::{
    App,
    error::{Error, Result},
    idempotency::Once,
    table::Write,
};

use super::request::{self, FriendRequest, FriendRequestView, RequestStatus};
use crate::{
    ids::UserId,
    people::{
        friendships::{FriendAccepted, FriendRequested},
        profiles, relationships, unique,
        users::{self, Username},
    },
};

const TRIES: usize = 4;
const GONE: Error = Error::NotFound("pending friend request");

/// Asks somebody to be friends. 3 calls and an event: 3 RRU, 11 WRU.
///
/// # Errors
/// [`Error::NotFound`] for nobody; [`Error::Invalid`] for oneself, for a friend, and while a request
/// of either is pending; [`Error::Forbidden`] where a block stands; internal when the event could not
/// be published: then asking again publishes it.
pub async fn send(app: &App, sender: UserId, name: &Username, once: &Once) -> Result<FriendRequestView> {
    let owner = sender.to_string();
    let request = match once.earlier::<FriendRequest>(app, &owner).await? {
        Some(earlier) => earlier,
        None => send_once(app, sender, name, once).await?,
    };
    tell_receiver(app, &request).await?;
    Ok(request.view())
}

async fn send_once(app: &App, sender: UserId, name: &Username, once: &Once) -> Result<FriendRequest> {
    let receiver = profiles::someone_else(app, sender, name).await?;
    for _ in 0..TRIES {
        let before = request::find_all(app, &[(sender, receiver), (receiver, sender)]).await?;
        refuse_second(app, sender, &before).await?;
        let request = FriendRequest::new(app, sender, receiver);
        let writes = vec![
            request.sending(),
            request::none_open(receiver, sender),
            relationships::none_between(sender, receiver),
            waiting(receiver, 1),
        ];
        match once.commit(app, &sender.to_string(), writes, request).await {
            Err(Error::Conflict(_)) => continue,
            done => return done,
        }
    }
    Err(Error::internal(anyhow::anyhow!("a friend request kept changing while it was sent")))
}

/// Refuses while a request of either counts. The sender's own that is pending is told again: telling
/// may have failed the first time.
async fn refuse_second(app: &App, sender: UserId, before: &[FriendRequest]) -> Result<()> {
    for request in before {
        match request.status {
            RequestStatus::Cancelled => continue,
            RequestStatus::Accepted => return Err(Error::invalid("username", "is your friend already")),
            RequestStatus::Pending => {}
        }
        if request.sender_id == sender {
            tell_receiver(app, request).await?;
        }
        return Err(Error::invalid("username", "has a pending friend request with you already"));
    }
    Ok(())
}

/// Accepts what somebody asked. 3 calls and an event: 2 RRU, 7 WRU.
///
/// # Errors
/// [`Error::NotFound`] for nobody, and when no request of theirs is pending; internal when the event
/// could not be published: then accepting again publishes it.
pub async fn accept(app: &App, receiver: UserId, name: &Username) -> Result<FriendRequestView> {
    let sender = unique::user_named(app, name).await?;
    let request = request::find(app, sender, receiver).await?.ok_or(GONE)?;
    match request.status {
        RequestStatus::Pending => {}
        RequestStatus::Accepted => return tell_sender(app, &request).await.and(Err(GONE)),
        RequestStatus::Cancelled => return Err(GONE),
    }
    let request = answer(app, &request, RequestStatus::Accepted).await?;
    tell_sender(app, &request).await?;
    Ok(request.view())
}

/// Calls off a request between the caller and somebody, whoever sent it. 3 calls, 3 RRU, 7 WRU.
///
/// # Errors
/// [`Error::NotFound`] for nobody, and when no request between them is pending.
pub async fn cancel(app: &App, caller: UserId, name: &Username) -> Result<FriendRequestView> {
    let other = unique::user_named(app, name).await?;
    let requests = request::find_all(app, &[(caller, other), (other, caller)]).await?;
    let request = requests.into_iter().find(FriendRequest::is_pending).ok_or(GONE)?;
    Ok(answer(app, &request, RequestStatus::Cancelled).await?.view())
}

async fn answer(app: &App, request: &FriendRequest, status: RequestStatus) -> Result<FriendRequest> {
    let answered = request.answered(app, status);
    let writes = vec![answered.answering(), waiting(request.receiver_id, -1)];
    match app.table.transact(writes).await {
        Err(Error::Conflict(_)) => Err(GONE),
        done => done.map(|()| answered),
    }
}

/// So many more that the receiver has to answer.
fn waiting(receiver: UserId, by: i64) -> Write {
    Write::update(users::key(receiver)).add("friendRequestsPending", by).exists()
}

async fn tell_receiver(app: &App, request: &FriendRequest) -> Result<()> {
    let &FriendRequest { sender_id, receiver_id, created_at, .. } = request;
    app.events.publish(&FriendRequested { sender_id, receiver_id, created_at }).await
}

async fn tell_sender(app: &App, request: &FriendRequest) -> Result<()> {
    let &FriendRequest { sender_id, receiver_id, created_at, answered_at, .. } = request;
    let created_at = answered_at.unwrap_or(created_at);
    app.events.publish(&FriendAccepted { sender_id, receiver_id, created_at }).await
}
