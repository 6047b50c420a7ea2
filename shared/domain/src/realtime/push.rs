//! Realtime: what happened, as those it concerns hear it at the push provider.

use platform::{App, Result};
use serde::{Deserialize, Serialize};
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

/// An event of the bus that somebody hears of, in the form that EventBridge gives it to a queue.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "detail-type", content = "detail")]
#[expect(missing_docs, reason = "each is documented where it is published")]
pub enum Happened {
    FriendRequested(FriendRequested),
    FriendAccepted(FriendAccepted),
    MessageSent(MessageSent),
    MessageSeen(MessageSeen),
    NotificationNew(NotificationNew),
    NotificationsFlushed(NotificationsFlushed),
    EnergyChanged(EnergyChanged),
    CprStarted(CprStarted),
    CprResolved(CprResolved),
}

/// Pushes an event to those it concerns: 1 request to the provider, 2 for a message. Up to 3 calls
/// and 1.5 RRU; half a unit more for each 4 KB of members.
///
/// What is gone meanwhile is not told. An event that comes twice is pushed twice: clients know what
/// they have by its id.
///
/// # Errors
/// Internal only; the queue tries again.
pub async fn push(app: &App, happened: &Happened) -> Result<()> {
    match happened {
        Happened::FriendRequested(it) => {
            let data = json!({ "sender": card(app, it.sender_id).await?, "createdAt": it.created_at });
            tell(app, it.receiver_id, "friend-request:new", data).await
        }
        Happened::FriendAccepted(it) => {
            let data = json!({ "receiver": card(app, it.receiver_id).await?, "createdAt": it.created_at });
            tell(app, it.sender_id, "friend-request:accepted", data).await
        }
        Happened::MessageSent(it) => message_new(app, it).await,
        Happened::MessageSeen(it) => message_seen(app, it).await,
        Happened::NotificationNew(it) => {
            match notifications::unread_group(app, it.recipient_id, it.notification_id).await? {
                Some(group) => tell(app, it.recipient_id, "notification:new", to_value(group)?).await,
                None => Ok(()),
            }
        }
        Happened::NotificationsFlushed(it) => {
            let channels = [EVERYBODY.to_owned()];
            pusher::push(app, &channels, "notification", &json!({ "count": it.count })).await
        }
        Happened::EnergyChanged(it) => tell_circle(app, it.circle_id, "energy:changed", it).await,
        Happened::CprStarted(it) => tell_circle(app, it.circle_id, "cpr:started", it).await,
        Happened::CprResolved(it) => tell_circle(app, it.circle_id, "cpr:resolved", it).await,
    }
}

/// To all members: to the sender as their own, to the others and the chat as another's.
async fn message_new(app: &App, sent: &MessageSent) -> Result<()> {
    let key = conversations::message_key(sent.group_id, sent.message_id);
    let Some(message) = app.table.get::<Message>(&key).await? else { return Ok(()) };
    let members = conversations::members(app, sent.group_id).await?;
    let sender = card(app, sent.sender_id).await?;
    let others = members.iter().map(|it| it.user).filter(|it| *it != sent.sender_id).map(own);
    let others: Vec<_> = others.chain([chat(sent.group_id)]).collect();
    let seen_by = |viewer: UserId| MessageView::new(message.clone(), viewer, sender.clone());
    let theirs = MessageView { is_mine: false, ..seen_by(sent.sender_id) };
    pusher::push(app, &others, "message:new", &to_value(theirs)?).await?;
    tell(app, sent.sender_id, "message:new", to_value(seen_by(sent.sender_id))?).await
}

/// To whoever sent the message, and the chat.
async fn message_seen(app: &App, seen: &MessageSeen) -> Result<()> {
    let key = conversations::message_key(seen.group_id, seen.last_seen_message_id);
    let Some(message) = app.table.get::<Message>(&key).await? else { return Ok(()) };
    let channels = [own(message.sender), chat(seen.group_id)];
    pusher::push(app, &channels, "message-seen", &to_value(seen)?).await
}

async fn tell(app: &App, user: UserId, event: &str, data: Value) -> Result<()> {
    pusher::push(app, &[own(user)], event, &data).await
}

/// To the members of a circle, as the event says it.
async fn tell_circle(app: &App, circle: CircleId, event: &str, data: &impl Serialize) -> Result<()> {
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
