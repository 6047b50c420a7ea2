//! What an event pushes, and to whom.

use futures::try_join;
use platform::{
    App, Result,
    bus::{BusEvent, Event},
};
use serde::Serialize;
use serde_json::{Value, json, to_value};

use crate::{
    circles::{CprResolved, CprStarted, EnergyChanged},
    conversations::{self, Message, MessageSeen, MessageSent, MessageView},
    ids::{CircleId, GroupId, UserId},
    notifications::{self, NotificationNew, NotificationsFlushed},
    people::{
        friendships::{FriendAccepted, FriendRequested},
        users,
    },
    realtime::pusher::{Channel, Push},
};

/// The channel that everybody may subscribe to. Its events say only that something happened.
const EVERYBODY: &str = "notifications";

/// Returns what an event pushes: nothing about a row that no longer exists. Costs up to 3 calls and 1.5 RRU, and 0.5
/// RRU more for each 4 KB of members.
///
/// # Errors
/// Invalid when the event is of an unexpected kind, or larger than the provider takes: then nothing of it is pushed.
pub(super) async fn pushes_of(app: &App, event: &BusEvent) -> Result<Vec<Push>> {
    match event.name() {
        FriendRequested::NAME => friend_requested(app, event).await,
        FriendAccepted::NAME => friend_accepted(app, event).await,
        MessageSent::NAME => message_new(app, event).await,
        MessageSeen::NAME => message_seen(app, event).await,
        NotificationNew::NAME => notification_new(app, event).await,
        NotificationsFlushed::NAME => notifications_flushed(event),
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
    let data = json!({ "sender": card(app, it.sender_id).await?, "createdAt": it.created_at });
    to_user(event, it.receiver_id, "friend-request:new", data)
}

/// To the sender of the request.
async fn friend_accepted(app: &App, event: &BusEvent) -> Result<Vec<Push>> {
    let it: FriendAccepted = event.detail()?;
    let data = json!({ "receiver": card(app, it.receiver_id).await?, "createdAt": it.created_at });
    to_user(event, it.sender_id, "friend-request:accepted", data)
}

/// To the recipient.
async fn notification_new(app: &App, event: &BusEvent) -> Result<Vec<Push>> {
    let it: NotificationNew = event.detail()?;
    match notifications::find_unread(app, it.recipient_id, it.notification_id).await? {
        Some(view) => to_user(event, it.recipient_id, "notification:new", to_value(view)?),
        None => Ok(Vec::new()),
    }
}

/// To everybody: how many notifications are new.
fn notifications_flushed(event: &BusEvent) -> Result<Vec<Push>> {
    let it: NotificationsFlushed = event.detail()?;
    Ok(vec![push(event, vec![EVERYBODY.to_owned()], "notification", json!({ "count": it.count }))?])
}

/// To all members: to the sender as their own message, to the others and the chat as somebody else's.
async fn message_new(app: &App, event: &BusEvent) -> Result<Vec<Push>> {
    let sent: MessageSent = event.detail()?;
    let key = conversations::message_key(sent.group_id, sent.message_id);
    let Some(message) = app.table.get_eventual::<Message>(&key).await? else { return Ok(Vec::new()) };
    let (members, sender) = try_join!(conversations::members(app, sent.group_id), card(app, sent.sender_id))?;
    let others = members.iter().map(|it| it.user).filter(|it| *it != sent.sender_id).map(user_channel);
    let others: Vec<_> = others.chain([chat_channel(sent.group_id)]).collect();
    let own = MessageView::new(message, sent.sender_id, sender);
    let theirs = MessageView { is_mine: false, ..own.clone() };
    Ok(vec![
        push(event, others, "message:new", to_value(theirs)?)?,
        push(event, vec![user_channel(sent.sender_id)], "message:new", to_value(own)?)?,
    ])
}

/// To the sender of the message and to the chat.
async fn message_seen(app: &App, event: &BusEvent) -> Result<Vec<Push>> {
    let seen: MessageSeen = event.detail()?;
    let key = conversations::message_key(seen.group_id, seen.last_seen_message_id);
    let Some(message) = app.table.get_eventual::<Message>(&key).await? else { return Ok(Vec::new()) };
    let channels = vec![user_channel(message.sender), chat_channel(seen.group_id)];
    Ok(vec![push(event, channels, "message-seen", to_value(&seen)?)?])
}

fn to_user(event: &BusEvent, user: UserId, name: &'static str, data: Value) -> Result<Vec<Push>> {
    Ok(vec![push(event, vec![user_channel(user)], name, data)?])
}

/// The event itself, to the members of a circle.
fn to_circle(
    event: &BusEvent,
    circle: CircleId,
    name: &'static str,
    detail: &impl Serialize,
) -> Result<Vec<Push>> {
    let channel = Channel::Circle(circle).to_string();
    Ok(vec![push(event, vec![channel], name, to_value(detail)?)?])
}

fn push(event: &BusEvent, channels: Vec<String>, name: &'static str, mut data: Value) -> Result<Push> {
    if let Some(fields) = data.as_object_mut() {
        fields.insert("eventId".to_owned(), event.id().into());
    }
    Push::new(channels, name, &data)
}

async fn card(app: &App, user: UserId) -> Result<Option<users::UserCard>> {
    let user = app.table.get_eventual::<users::User>(&users::key(user)).await?;
    Ok(user.map(|it| it.card()))
}

fn user_channel(user: UserId) -> String {
    Channel::User(user).to_string()
}

fn chat_channel(group: GroupId) -> String {
    Channel::Chat(group).to_string()
}
