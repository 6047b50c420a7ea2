//! Pushes bus events to the channels of the people they concern.

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
    realtime::pusher::{self, Channel},
};

/// The channel that everybody may subscribe to. Its events say only that something happened.
const EVERYBODY: &str = "notifications";

/// Pushes an event to the people it concerns. Costs 1 request to the provider, 2 for a message; up to 3
/// calls and 1.5 RRU, and 0.5 RRU more for each 4 KB of members.
///
/// Pushes nothing where there is no push provider, nor about a row that no longer exists. What is pushed carries the
/// event's id as `eventId`: whoever hears of an event twice knows it again.
///
/// # Errors
/// Internal, when the event is of an unexpected kind or the provider refuses it; the queue retries.
pub async fn push(app: &App, event: &BusEvent) -> Result<()> {
    if app.settings.pusher.is_none() {
        return Ok(());
    }
    match event.name() {
        FriendRequested::NAME => friend_requested(app, event).await,
        FriendAccepted::NAME => friend_accepted(app, event).await,
        MessageSent::NAME => message_new(app, event).await,
        MessageSeen::NAME => message_seen(app, event).await,
        NotificationNew::NAME => notification_new(app, event).await,
        NotificationsFlushed::NAME => notifications_flushed(app, event).await,
        EnergyChanged::NAME => {
            let it: EnergyChanged = event.detail()?;
            push_to_circle(app, event, it.circle_id, ("energy:changed", &it)).await
        }
        CprStarted::NAME => {
            let it: CprStarted = event.detail()?;
            push_to_circle(app, event, it.circle_id, ("cpr:started", &it)).await
        }
        CprResolved::NAME => {
            let it: CprResolved = event.detail()?;
            push_to_circle(app, event, it.circle_id, ("cpr:resolved", &it)).await
        }
        _ => Err(event.unexpected()),
    }
}

/// Pushes to the receiver of the request.
async fn friend_requested(app: &App, event: &BusEvent) -> Result<()> {
    let it: FriendRequested = event.detail()?;
    let data = json!({ "sender": card(app, it.sender_id).await?, "createdAt": it.created_at });
    push_to_user(app, event, it.receiver_id, ("friend-request:new", data)).await
}

/// Pushes to the sender of the request.
async fn friend_accepted(app: &App, event: &BusEvent) -> Result<()> {
    let it: FriendAccepted = event.detail()?;
    let data = json!({ "receiver": card(app, it.receiver_id).await?, "createdAt": it.created_at });
    push_to_user(app, event, it.sender_id, ("friend-request:accepted", data)).await
}

/// Pushes to the recipient.
async fn notification_new(app: &App, event: &BusEvent) -> Result<()> {
    let it: NotificationNew = event.detail()?;
    match notifications::find_unread(app, it.recipient_id, it.notification_id).await? {
        Some(view) => push_to_user(app, event, it.recipient_id, ("notification:new", to_value(view)?)).await,
        None => Ok(()),
    }
}

/// Pushes to everybody how many notifications are new.
async fn notifications_flushed(app: &App, event: &BusEvent) -> Result<()> {
    let it: NotificationsFlushed = event.detail()?;
    push_to(app, event, &[EVERYBODY.to_owned()], ("notification", json!({ "count": it.count }))).await
}

/// Pushes to all members: to the sender as their own message, to the others and the chat as somebody
/// else's.
async fn message_new(app: &App, event: &BusEvent) -> Result<()> {
    let sent: MessageSent = event.detail()?;
    let key = conversations::message_key(sent.group_id, sent.message_id);
    let Some(message) = app.table.get::<Message>(&key).await? else { return Ok(()) };
    let members = conversations::members(app, sent.group_id).await?;
    let sender = card(app, sent.sender_id).await?;
    let others = members.iter().map(|it| it.user).filter(|it| *it != sent.sender_id).map(user_channel);
    let others: Vec<_> = others.chain([chat_channel(sent.group_id)]).collect();
    let seen_by = |viewer: UserId| MessageView::new(message.clone(), viewer, sender.clone());
    let theirs = MessageView { is_mine: false, ..seen_by(sent.sender_id) };
    push_to(app, event, &others, ("message:new", to_value(theirs)?)).await?;
    push_to_user(app, event, sent.sender_id, ("message:new", to_value(seen_by(sent.sender_id))?)).await
}

/// Pushes to the sender of the message and to the chat.
async fn message_seen(app: &App, event: &BusEvent) -> Result<()> {
    let seen: MessageSeen = event.detail()?;
    let key = conversations::message_key(seen.group_id, seen.last_seen_message_id);
    let Some(message) = app.table.get::<Message>(&key).await? else { return Ok(()) };
    let channels = [user_channel(message.sender), chat_channel(seen.group_id)];
    push_to(app, event, &channels, ("message-seen", to_value(&seen)?)).await
}

async fn push_to_user(app: &App, event: &BusEvent, user: UserId, push: (&str, Value)) -> Result<()> {
    push_to(app, event, &[user_channel(user)], push).await
}

/// Pushes the event itself to the members of a circle.
async fn push_to_circle(
    app: &App,
    event: &BusEvent,
    circle: CircleId,
    (name, detail): (&str, &impl Serialize),
) -> Result<()> {
    push_to(app, event, &[Channel::Circle(circle).to_string()], (name, to_value(detail)?)).await
}

async fn push_to(
    app: &App,
    event: &BusEvent,
    channels: &[String],
    (name, mut data): (&str, Value),
) -> Result<()> {
    if let Some(fields) = data.as_object_mut() {
        fields.insert("eventId".to_owned(), event.id().into());
    }
    pusher::push(app, channels, name, &data).await
}

async fn card(app: &App, user: UserId) -> Result<Option<users::UserCard>> {
    Ok(users::find(app, user).await?.map(|it| it.card()))
}

fn user_channel(user: UserId) -> String {
    Channel::User(user).to_string()
}

fn chat_channel(group: GroupId) -> String {
    Channel::Chat(group).to_string()
}
