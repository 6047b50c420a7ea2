//! Determines the pushes of an event: their data and channels.

use accounts::SignedOut;
use anyhow::anyhow;
use base::{CircleId, UserId};
use circles::{CircleLeft, CircleUpdated, CprResolved, CprStarted, EnergyChanged};
use notifications::{NotificationNew, NotificationsFlushed};
use platform::{App, BusEvent, Error, Result, bus::Event, outcomes::note};

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

/// Returns the pushes of an event. Returns no pushes if the data that the event refers to no longer exists. Omits a
/// recipient if their account is inactive, or if a block exists between the recipient and the actor. While proposed
/// features are off, only [`NotificationsFlushed`] is pushed.
///
/// # Errors
/// Fails with [`Error::Invalid`] if the event has an unexpected kind or is larger than the provider accepts.
pub(super) async fn pushes_of(
    app: &App,
    event: &BusEvent,
    unread: std::result::Result<&Unread, &Error>,
) -> Result<Vec<Push>> {
    if !app.has_proposed_features() && event.name() != NotificationsFlushed::NAME {
        note("proposed features are off");
        return Ok(Vec::new());
    }
    match event.name() {
        FriendRequested::NAME => friend_requested(app, event).await,
        FriendAccepted::NAME => friend_accepted(app, event).await,
        // These events only end connections, and push nothing.
        SignedOut::NAME | UserBlocked::NAME | CircleLeft::NAME => Ok(Vec::new()),
        NotificationNew::NAME => {
            let failed = |error| Error::internal(anyhow!("failed to read notifications: {error:?}"));
            notification_new(event, unread.map_err(failed)?)
        }
        NotificationsFlushed::NAME => notifications_flushed(event),
        CircleUpdated::NAME => {
            let updated: CircleUpdated = event.detail()?;
            to_circle(event, updated.circle_id, PushedEvent::CircleUpdated(&updated))
        }
        EnergyChanged::NAME => {
            let changed: EnergyChanged = event.detail()?;
            to_circle(event, changed.circle_id, PushedEvent::EnergyChanged(&changed))
        }
        CprStarted::NAME => {
            let started: CprStarted = event.detail()?;
            to_circle(event, started.circle_id, PushedEvent::CprStarted(&started))
        }
        CprResolved::NAME => {
            let resolved: CprResolved = event.detail()?;
            to_circle(event, resolved.circle_id, PushedEvent::CprResolved(&resolved))
        }
        _ => groups::pushes_of(app, event).await,
    }
}

/// Returns the push of a new friend request to its receiver.
async fn friend_requested(app: &App, event: &BusEvent) -> Result<Vec<Push>> {
    let FriendRequested { sender_id, receiver_id, created_at, .. } = event.detail()?;
    let audience = Audience::of(app, sender_id, &[receiver_id]).await?;
    if !audience.can_receive(receiver_id) {
        note("the receiver is blocked or inactive");
        return Ok(Vec::new());
    }
    let request = FriendRequestNew { sender: audience.card(sender_id), created_at };
    to_user(event, receiver_id, PushedEvent::FriendRequestNew(&request))
}

/// Returns the push of an accepted friend request to its sender.
async fn friend_accepted(app: &App, event: &BusEvent) -> Result<Vec<Push>> {
    let FriendAccepted { sender_id, receiver_id, created_at, .. } = event.detail()?;
    let audience = Audience::of(app, receiver_id, &[sender_id]).await?;
    if !audience.can_receive(sender_id) {
        note("the sender is blocked or inactive");
        return Ok(Vec::new());
    }
    let accepted = FriendRequestAccepted { receiver: audience.card(receiver_id), created_at };
    to_user(event, sender_id, PushedEvent::FriendRequestAccepted(&accepted))
}

/// Returns the push of the notification to its recipient. Returns no push if the notification is not in `unread`.
fn notification_new(event: &BusEvent, unread: &Unread) -> Result<Vec<Push>> {
    let new: NotificationNew = event.detail()?;
    match unread.find(&new) {
        Some(view) => to_user(event, new.recipient_id, PushedEvent::NotificationNew(view)),
        None => {
            note("the notification is gone");
            Ok(Vec::new())
        }
    }
}

/// Returns the push to all clients with the number of new notifications.
fn notifications_flushed(event: &BusEvent) -> Result<Vec<Push>> {
    let flushed: NotificationsFlushed = event.detail()?;
    let pushed = PushedEvent::Notification(&flushed);
    Ok(vec![Push::of(event, vec![Channel::Public.to_string()], pushed)?])
}

fn to_user(event: &BusEvent, user: UserId, pushed: PushedEvent<'_>) -> Result<Vec<Push>> {
    Ok(vec![Push::of(event, vec![Channel::User(user).to_string()], pushed)?])
}

/// Returns the push of an event to the members of a circle.
fn to_circle(event: &BusEvent, circle: CircleId, pushed: PushedEvent<'_>) -> Result<Vec<Push>> {
    Ok(vec![Push::of(event, vec![Channel::Circle(circle).to_string()], pushed)?])
}
