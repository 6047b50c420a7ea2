//! Records bus events for their recipients. An event that the bus delivers twice is recorded once.

use base::ids::{EventId, UserId};
use conversations::{MessageSeen, MessageSent};
use people::{follows::Followed, friendships::FriendRequested};
use platform::{
    App, Result,
    bus::{BusEvent, Event},
    outcomes,
    table::Write,
    time::Time,
};
use ulid::Ulid;

use super::{
    NotificationEvent, NotificationType, TargetType, reads::conversation_read, subject::hashed_ulid,
};

/// Maximum number of events in a transaction. Each event takes up to 2 of the 100 writes in a transaction.
const EVENTS_PER_TRANSACTION: usize = 49;

/// Records a bus event for each of its recipients. Repeating the call has no effect.
///
/// For [`MessageSeen`], marks the conversation's notification as read instead.
///
/// # Errors
/// Fails with an internal error if the event has an unexpected kind.
pub async fn record(app: &App, event: &BusEvent) -> Result<()> {
    let events = match event.name() {
        Followed::NAME => {
            let followed: Followed = event.detail()?;
            let Followed { following_id, follower_id, created_at, .. } = followed;
            let event = about_user(following_id, NotificationType::Follow, follower_id, created_at);
            let event = NotificationEvent { id: followed.notified_as.unwrap_or(event.id), ..event };
            vec![if followed.is_repeated { event.returning() } else { event }]
        }
        FriendRequested::NAME => {
            let requested: FriendRequested = event.detail()?;
            let FriendRequested { receiver_id, sender_id, created_at, .. } = requested;
            vec![about_user(receiver_id, NotificationType::FriendRequest, sender_id, created_at)]
        }
        MessageSeen::NAME => return conversation_read(app, &event.detail()?).await,
        MessageSent::NAME => new_message(app, &event.detail()?).await?,
        _ => return Err(event.unexpected()),
    };
    record_all(app, &events).await
}

/// Withdraws the notification event of a follow that ended at a time. Repeating this has no effect.
pub async fn withdraw_follow(
    app: &App,
    [follower, followed]: [UserId; 2],
    event: EventId,
    at: Time,
) -> Result<()> {
    let follow = about_user(followed, NotificationType::Follow, follower, at);
    record_all(app, &[NotificationEvent { id: event, ..follow }.withdrawn_at(at)]).await
}

/// Records events. Skips an event if the recipient mutes the actor, or if a block exists between the two users.
/// Repeating the call has no effect.
pub async fn record_all(app: &App, events: &[NotificationEvent]) -> Result<()> {
    record_wanted(app, events, |_| true).await
}

/// Like [`record_all`], but records only the events for which `is_wanted` returns true. On a retry, `is_wanted` may
/// return a different result for the same event.
pub async fn record_wanted(
    app: &App,
    events: &[NotificationEvent],
    is_wanted: impl Fn(&NotificationEvent) -> bool,
) -> Result<()> {
    // A retry has the same chunks. So if one event of a chunk was recorded, all events of the chunk were recorded.
    for chunk in events.chunks(EVENTS_PER_TRANSACTION) {
        let wanted: Vec<_> = chunk.iter().filter(|it| is_wanted(it)).cloned().collect();
        let snapshot = NotificationEvent::read_people_snapshot(app, &wanted).await?;
        let visible = wanted.iter().filter(|it| it.is_wanted(&snapshot));
        write_all(app, visible.flat_map(|it| it.repeatable_writes(app, &snapshot)).collect()).await?;
    }
    Ok(())
}

/// Applies all writes or none. Ignores a refusal by the table, because the events were then already recorded.
async fn write_all(app: &App, mut writes: Vec<Write>) -> Result<()> {
    match (writes.pop(), writes.is_empty()) {
        (None, _) => outcomes::end("no recipient wants it"),
        // A single write needs no transaction, which halves its cost.
        (Some(only), true) => app.table.try_write(only).await.map(drop),
        (Some(last), false) => {
            writes.push(last);
            app.table.try_transact(writes).await.map(drop)
        }
    }
}

fn about_user(user: UserId, kind: NotificationType, actor: UserId, at: Time) -> NotificationEvent {
    // A repeated event gets the same ID. Different events of the same millisecond get different IDs, because lists are
    // sorted by ID.
    let seed = format!("{actor}#{user}#{}", kind.as_ref());
    let id = EventId::from(hashed_ulid(at.millis().max(0) as u64, &seed));
    let target = Ulid::from(user);
    NotificationEvent::new(user, (kind, TargetType::User), target, (actor, id, at))
}

async fn new_message(app: &App, sent: &MessageSent) -> Result<Vec<NotificationEvent>> {
    let kinds = (NotificationType::NewMessage, TargetType::MessageGroup);
    let (group, id) = (Ulid::from(sent.group_id), EventId::from(Ulid::from(sent.message_id)));
    let members = conversations::members(app, sent.group_id).await?;
    conversations::move_to_head(app, &members, sent).await?;
    let others = members.iter().filter(|member| member.user != sent.sender_id && !member.is_muted);
    let event = |user| NotificationEvent::new(user, kinds, group, (sent.sender_id, id, sent.created_at));
    Ok(others.map(|member| event(member.user)).collect())
}
