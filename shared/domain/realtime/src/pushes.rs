//! What an event pushes, and to whom.

use accounts::SignedOut;
use anyhow::anyhow;
use base::ids::{CircleId, UserId};
use circles::{CircleLeft, CircleUpdated, CprResolved, CprStarted, EnergyChanged};
use notifications::{NotificationNew, NotificationsFlushed};
use platform::{
    App, Error, Result,
    bus::{BusEvent, Event},
};

use crate::{
    audience::Audience,
    events::{FriendRequestAccepted, FriendRequestNew, PushedEvent},
    groups,
    pusher::{Channel, Push},
    unread::Unread,
};
use people::{
    friendships::{FriendAccepted, FriendRequested},
    relationships::UserBlocked,
};

/// Returns what an event pushes: nothing about a row that no longer exists, nor to somebody whose account does not work
/// or whom a block separates from the one who did it, and while proposed features are off only that there are
/// notifications.
///
/// # Errors
/// Invalid when the event is of an unexpected kind, or larger than the provider takes: then nothing of it is pushed.
pub(super) async fn pushes_of(
    app: &App,
    event: &BusEvent,
    unread: std::result::Result<&Unread, &Error>,
) -> Result<Vec<Push>> {
    if !app.has_proposed_features() && event.name() != NotificationsFlushed::NAME {
        return Ok(Vec::new());
    }
    match event.name() {
        FriendRequested::NAME => friend_requested(app, event).await,
        FriendAccepted::NAME => friend_accepted(app, event).await,
        // They end connections, and say nothing.
        SignedOut::NAME | UserBlocked::NAME | CircleLeft::NAME => Ok(Vec::new()),
        name if groups::is_of_group(name) => groups::pushes_of(app, event).await,
        NotificationNew::NAME => {
            let failed = |error| Error::internal(anyhow!("the notifications of its batch: {error:?}"));
            notification_new(event, unread.map_err(failed)?)
        }
        NotificationsFlushed::NAME => notifications_flushed(event),
        CircleUpdated::NAME => {
            let it: CircleUpdated = event.detail()?;
            to_circle(event, it.circle_id, PushedEvent::CircleUpdated(&it))
        }
        EnergyChanged::NAME => {
            let it: EnergyChanged = event.detail()?;
            to_circle(event, it.circle_id, PushedEvent::EnergyChanged(&it))
        }
        CprStarted::NAME => {
            let it: CprStarted = event.detail()?;
            to_circle(event, it.circle_id, PushedEvent::CprStarted(&it))
        }
        CprResolved::NAME => {
            let it: CprResolved = event.detail()?;
            to_circle(event, it.circle_id, PushedEvent::CprResolved(&it))
        }
        _ => Err(event.unexpected()),
    }
}

/// To the receiver of the request.
async fn friend_requested(app: &App, event: &BusEvent) -> Result<Vec<Push>> {
    let it: FriendRequested = event.detail()?;
    let audience = Audience::of(app, it.sender_id, &[it.receiver_id]).await?;
    if !audience.hears(it.receiver_id) {
        return Ok(Vec::new());
    }
    let request = FriendRequestNew { sender: audience.card(it.sender_id), created_at: it.created_at };
    to_user(event, it.receiver_id, PushedEvent::FriendRequestNew(&request))
}

/// To the sender of the request.
async fn friend_accepted(app: &App, event: &BusEvent) -> Result<Vec<Push>> {
    let it: FriendAccepted = event.detail()?;
    let audience = Audience::of(app, it.receiver_id, &[it.sender_id]).await?;
    if !audience.hears(it.sender_id) {
        return Ok(Vec::new());
    }
    let accepted =
        FriendRequestAccepted { receiver: audience.card(it.receiver_id), created_at: it.created_at };
    to_user(event, it.sender_id, PushedEvent::FriendRequestAccepted(&accepted))
}

/// To the recipient.
fn notification_new(event: &BusEvent, unread: &Unread) -> Result<Vec<Push>> {
    let it: NotificationNew = event.detail()?;
    match unread.find(&it) {
        Some(view) => to_user(event, it.recipient_id, PushedEvent::NotificationNew(view)),
        None => Ok(Vec::new()),
    }
}

/// To everybody: how many notifications are new.
fn notifications_flushed(event: &BusEvent) -> Result<Vec<Push>> {
    let it: NotificationsFlushed = event.detail()?;
    let pushed = PushedEvent::Notification(&it);
    Ok(vec![Push::of(event, vec![Channel::Everybody.to_string()], pushed)?])
}

fn to_user(event: &BusEvent, user: UserId, pushed: PushedEvent<'_>) -> Result<Vec<Push>> {
    Ok(vec![Push::of(event, vec![user_channel(user)], pushed)?])
}

/// To the members of a circle.
fn to_circle(event: &BusEvent, circle: CircleId, pushed: PushedEvent<'_>) -> Result<Vec<Push>> {
    Ok(vec![Push::of(event, vec![Channel::Circle(circle).to_string()], pushed)?])
}

fn user_channel(user: UserId) -> String {
    Channel::User(user).to_string()
}
