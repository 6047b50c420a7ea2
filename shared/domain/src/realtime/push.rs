//! Realtime: what happened, as those it concerns hear it at the push provider.

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

/// Where everybody hears that something happened to somebody; it tells nobody what.
const EVERYBODY: &str = "notifications";

/// Pushes an event to those it concerns: 1 request to the provider, 2 for a message. Up to 3 calls
/// and 1.5 RRU; half a unit more for each 4 KB of members.
///
/// What is gone meanwhile is not told. An event that comes twice is pushed twice: clients know what
/// they have by its id.
///
/// # Errors
/// Internal only; the queue tries again.
pub async fn push(app: &App, event: &BusEvent) -> Result<()> {
    match event.name() {
        FriendRequested::NAME => friend_requested(app, event.detail()?).await,
        FriendAccepted::NAME => friend_accepted(app, event.detail()?).await,
        MessageSent::NAME => message_new(app, event.detail()?).await,
        MessageSeen::NAME => message_seen(app, event.detail()?).await,
        NotificationNew::NAME => notification_new(app, event.detail()?).await,
        NotificationsFlushed::NAME => notifications_flushed(app, event.detail()?).await,
        EnergyChanged::NAME => {
            let it: EnergyChanged = event.detail()?;
            push_to_circle(app, it.circle_id, "energy:changed", &it).await
        }
        CprStarted::NAME => {
            let it: CprStarted = event.detail()?;
            push_to_circle(app, it.circle_id, "cpr:started", &it).await
        }
        CprResolved::NAME => {
            let it: CprResolved = event.detail()?;
            push_to_circle(app, it.circle_id, "cpr:resolved", &it).await
        }
        _ => Err(event.unexpected()),
    }
}

/// To whoever received the request.
async fn friend_requested(app: &App, it: FriendRequested) -> Result<()> {
    let data = json!({ "sender": card(app, it.sender_id).await?, "createdAt": it.created_at });
    push_to_user(app, it.receiver_id, "friend-request:new", data).await
}

/// To whoever sent the request.
async fn friend_accepted(app: &App, it: FriendAccepted) -> Result<()> {
    let data = json!({ "receiver": card(app, it.receiver_id).await?, "createdAt": it.created_at });
    push_to_user(app, it.sender_id, "friend-request:accepted", data).await
}

/// To the recipient, while the group is unread.
async fn notification_new(app: &App, it: NotificationNew) -> Result<()> {
    match notifications::unread_group(app, it.recipient_id, it.notification_id).await? {
        Some(group) => push_to_user(app, it.recipient_id, "notification:new", to_value(group)?).await,
        None => Ok(()),
    }
}

/// To everybody: only how many.
async fn notifications_flushed(app: &App, it: NotificationsFlushed) -> Result<()> {
    let channels = [EVERYBODY.to_owned()];
    pusher::push(app, &channels, "notification", &json!({ "count": it.count })).await
}

/// To all members: to the sender as their own, to the others and the chat as another's.
async fn message_new(app: &App, sent: MessageSent) -> Result<()> {
    let key = conversations::message_key(sent.group_id, sent.message_id);
    let Some(message) = app.table.get::<Message>(&key).await? else { return Ok(()) };
    let members = conversations::members(app, sent.group_id).await?;
    let sender = card(app, sent.sender_id).await?;
    let others = members.iter().map(|it| it.user).filter(|it| *it != sent.sender_id).map(own);
    let others: Vec<_> = others.chain([chat(sent.group_id)]).collect();
    let seen_by = |viewer: UserId| MessageView::new(message.clone(), viewer, sender.clone());
    let theirs = MessageView { is_mine: false, ..seen_by(sent.sender_id) };
    pusher::push(app, &others, "message:new", &to_value(theirs)?).await?;
    push_to_user(app, sent.sender_id, "message:new", to_value(seen_by(sent.sender_id))?).await
}

/// To whoever sent the message, and the chat.
async fn message_seen(app: &App, seen: MessageSeen) -> Result<()> {
    let key = conversations::message_key(seen.group_id, seen.last_seen_message_id);
    let Some(message) = app.table.get::<Message>(&key).await? else { return Ok(()) };
    let channels = [own(message.sender), chat(seen.group_id)];
    pusher::push(app, &channels, "message-seen", &to_value(&seen)?).await
}

async fn push_to_user(app: &App, user: UserId, event: &str, data: Value) -> Result<()> {
    pusher::push(app, &[own(user)], event, &data).await
}

/// To the members of a circle, as the event says it.
async fn push_to_circle(app: &App, circle: CircleId, event: &str, data: &impl Serialize) -> Result<()> {
    let channel = Channel::Circle(circle).to_string();
    pusher::push(app, &[channel], event, &to_value(data)?).await
}

async fn card(app: &App, user: UserId) -> Result<Option<users::UserCard>> {
    Ok(users::find(app, user).await?.map(|it| it.card()))
}

fn own(user: UserId) -> String {
    Channel::User(user).to_string()
}

fn chat(group: GroupId) -> String {
    Channel::Chat(group).to_string()
}
