//! What an event pushes, and to whom.

use futures::try_join;
use platform::{
    App, Result,
    bus::{BusEvent, Event},
};
use serde::Serialize;
use serde_json::{Value, json, to_value};

use crate::{
    circles::{CircleUpdated, CprResolved, CprStarted, EnergyChanged},
    conversations::{self, Message, MessageSeen, MessageSent, MessageView},
    ids::{CircleId, GroupId, MessageId, UserId},
    notifications::{self, NotificationNew, NotificationsFlushed},
    people::{
        friendships::{FriendAccepted, FriendRequested},
        users::UserCard,
    },
    realtime::{
        audience::{Audience, is_active},
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
        MessageSent::NAME => message_new(app, event).await,
        MessageSeen::NAME => message_seen(app, event).await,
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
    Ok(vec![push(event, vec![EVERYBODY.to_owned()], "notification", json!({ "count": it.count }))?])
}

/// To all members: to the sender as their own message, to the others and the chat as somebody else's.
async fn message_new(app: &App, event: &BusEvent) -> Result<Vec<Push>> {
    let MessageSent { group_id, message_id, sender_id, .. } = event.detail()?;
    let Some((message, members)) = message_and_members(app, group_id, message_id).await? else {
        return Ok(Vec::new());
    };
    let audience = Audience::of(app, sender_id, &members).await?;
    let hear = |it: &UserId| audience.hears(*it);
    let chat = members.iter().all(hear).then(|| chat_channel(group_id));
    let others = members.iter().copied().filter(|it| *it != sender_id).filter(hear).map(user_channel);
    let others: Vec<_> = others.chain(chat).collect();
    let sender: Vec<_> = Some(sender_id).filter(hear).map(user_channel).into_iter().collect();
    let own = MessageView::new(message, sender_id, audience.card(sender_id));
    let theirs = MessageView { is_mine: false, ..own.clone() };
    Ok(vec![
        push(event, others, "message:new", to_value(theirs)?)?,
        push(event, sender, "message:new", to_value(own)?)?,
    ])
}

/// To the sender of the message and to the chat.
async fn message_seen(app: &App, event: &BusEvent) -> Result<Vec<Push>> {
    let seen: MessageSeen = event.detail()?;
    let found = message_and_members(app, seen.group_id, seen.last_seen_message_id).await?;
    let Some((message, members)) = found else { return Ok(Vec::new()) };
    let audience = Audience::of(app, seen.user_id, &members).await?;
    let hear = |it: &UserId| audience.hears(*it);
    let chat = members.iter().all(hear).then(|| chat_channel(seen.group_id));
    let channels = Some(message.sender).filter(hear).map(user_channel).into_iter().chain(chat);
    Ok(vec![push(event, channels.collect(), "message-seen", to_value(&seen)?)?])
}

/// Returns a message and the members of its group; none when there is no such message. The chat of a group hears only
/// what all of these may hear.
async fn message_and_members(
    app: &App,
    group: GroupId,
    message: MessageId,
) -> Result<Option<(Message, Vec<UserId>)>> {
    let key = conversations::message_key(group, message);
    let message = app.table.get_eventual::<Message>(&key);
    let (message, members) = try_join!(message, conversations::members(app, group))?;
    Ok(message.map(|it| (it, members.iter().map(|it| it.user).collect())))
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

fn user_channel(user: UserId) -> String {
    Channel::User(user).to_string()
}

fn chat_channel(group: GroupId) -> String {
    Channel::Chat(group).to_string()
}
