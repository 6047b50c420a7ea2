//! What an event pushes, and to whom.

use futures::try_join;
use platform::{
    App, Result,
    bus::{BusEvent, Event},
};
use serde::Serialize;
use serde_json::{Value, json, to_value};

use crate::{
    accounts::SignedOut,
    circles::{CircleUpdated, CprResolved, CprStarted, EnergyChanged},
    ids::{CircleId, UserId},
    notifications::{self, NotificationNew, NotificationsFlushed},
    people::{
        friendships::{FriendAccepted, FriendRequested},
        relationships::UserBlocked,
        users::UserCard,
    },
    realtime::{
        audience::{Audience, is_active},
        groups,
        pusher::{Channel, Push},
    },
};

/// The channel that everybody may subscribe to. Its events say only that something happened.
const EVERYBODY: &str = "notifications";

/// Returns what an event pushes: nothing about a row that no longer exists, nor to somebody whose account does not work
/// or whom a block separates from the one who did it, and while proposed features are off only that there are
/// notifications. Costs up to 4 calls and 1.5 RRU; of a message 0.5 RRU for each
/// member, and for each 4 KB of members.
///
/// # Errors
/// Invalid when the event is of an unexpected kind, or larger than the provider takes: then nothing of it is pushed.
pub(super) async fn pushes_of(app: &App, event: &BusEvent) -> Result<Vec<Push>> {
    if !app.has_proposed_features() && event.name() != NotificationsFlushed::NAME {
        return Ok(Vec::new());
    }
    match event.name() {
        FriendRequested::NAME => friend_requested(app, event).await,
        FriendAccepted::NAME => friend_accepted(app, event).await,
        // They end connections, and say nothing.
        SignedOut::NAME | UserBlocked::NAME => Ok(Vec::new()),
        name if groups::is_of_group(name) => groups::pushes_of(app, event).await,
        NotificationNew::NAME => notification_new(app, event).await,
        NotificationsFlushed::NAME => notifications_flushed(event),
        CircleUpdated::NAME => {
            let it: CircleUpdated = event.detail()?;
            to_circle(event, it.circle_id, "circle:updated", &it)
        }
        EnergyChanged::NAME => {
            let it: EnergyChanged = event.detail()?;
            to_circle(event, it.circle_id, "energy:changed", &it)
        }
        CprStarted::NAME => {
            let it: CprStarted = event.detail()?;
            to_circle(event, it.circle_id, "cpr:started", &it)
        }
        CprResolved::NAME => {
            let it: CprResolved = event.detail()?;
            to_circle(event, it.circle_id, "cpr:resolved", &it)
        }
        _ => Err(event.unexpected()),
    }
}

/// To the receiver of the request.
async fn friend_requested(app: &App, event: &BusEvent) -> Result<Vec<Push>> {
    let it: FriendRequested = event.detail()?;
    let data = |card| json!({ "sender": card, "createdAt": it.created_at });
    from_one_to_other(app, event, (it.sender_id, it.receiver_id), "friend-request:new", data).await
}

/// To the sender of the request.
async fn friend_accepted(app: &App, event: &BusEvent) -> Result<Vec<Push>> {
    let it: FriendAccepted = event.detail()?;
    let data = |card| json!({ "receiver": card, "createdAt": it.created_at });
    from_one_to_other(app, event, (it.receiver_id, it.sender_id), "friend-request:accepted", data).await
}

async fn from_one_to_other(
    app: &App,
    event: &BusEvent,
    (actor, recipient): (UserId, UserId),
    name: &'static str,
    data: impl Fn(Option<UserCard>) -> Value,
) -> Result<Vec<Push>> {
    let audience = Audience::of(app, actor, &[recipient]).await?;
    match audience.hears(recipient) {
        true => to_user(event, recipient, name, data(audience.card(actor))),
        false => Ok(Vec::new()),
    }
}

/// To the recipient.
async fn notification_new(app: &App, event: &BusEvent) -> Result<Vec<Push>> {
    let it: NotificationNew = event.detail()?;
    let view = notifications::find_unread(app, it.recipient_id, it.notification_id);
    match try_join!(is_active(app, it.recipient_id), view)? {
        (true, Some(view)) => to_user(event, it.recipient_id, "notification:new", to_value(view)?),
        _ => Ok(Vec::new()),
    }
}

/// To everybody: how many notifications are new.
fn notifications_flushed(event: &BusEvent) -> Result<Vec<Push>> {
    let it: NotificationsFlushed = event.detail()?;
    Ok(vec![Push::of(event, vec![EVERYBODY.to_owned()], "notification", json!({ "count": it.count }))?])
}

fn to_user(event: &BusEvent, user: UserId, name: &'static str, data: Value) -> Result<Vec<Push>> {
    Ok(vec![Push::of(event, vec![user_channel(user)], name, data)?])
}

/// The event itself, to the members of a circle.
fn to_circle(
    event: &BusEvent,
    circle: CircleId,
    name: &'static str,
    detail: &impl Serialize,
) -> Result<Vec<Push>> {
    let channel = Channel::Circle(circle).to_string();
    Ok(vec![Push::of(event, vec![channel], name, to_value(detail)?)?])
}

fn user_channel(user: UserId) -> String {
    Channel::User(user).to_string()
}
