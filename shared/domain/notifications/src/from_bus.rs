//! Records bus events for their recipients. An event that the bus delivers twice is recorded once.

use base::{EventId, UserId};
use conversations::{MessageSeen, MessageSent};
use people::{follows::Followed, friendships::FriendRequested};
use platform::{App, BusEvent, Result, Time, Write, bus::Event, outcomes};
use ulid::Ulid;

use super::{NotificationEvent, NotificationType, TargetType, event_id_at, reads::conversation_read};

/// Maximum number of events in a transaction. An event needs up to 2 of the 100 writes in a transaction.
const EVENTS_PER_TRANSACTION: usize = 49;

/// Records a bus event for each of its recipients. Repeating the call has no effect.
///
/// For [`MessageSeen`], marks the conversation's notification as read instead.
///
/// # Errors
/// Fails with an internal error if this function does not handle the event's kind.
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

/// Withdraws the notification event of a follow that ended at the time `at`. Repeating the call has no effect.
pub async fn withdraw_follow(
    app: &App,
    [follower, followed]: [UserId; 2],
    event: EventId,
    at: Time,
) -> Result<()> {
    let follow = about_user(followed, NotificationType::Follow, follower, at);
    record_all(app, &[NotificationEvent { id: event, ..follow }.withdrawn_at(at)]).await
}

/// Withdraws the notification event of a friend request that was canceled at the time `at`. Repeating the call has no
/// effect.
pub async fn withdraw_friend_request(
    app: &App,
    [sender, receiver]: [UserId; 2],
    sent_at: Time,
    at: Time,
) -> Result<()> {
    let request = about_user(receiver, NotificationType::FriendRequest, sender, sent_at);
    record_all(app, &[request.withdrawn_at(at)]).await
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
    // A retry splits the events into the same chunks, so either all or none of a chunk's events are already recorded.
    for chunk in events.chunks(EVENTS_PER_TRANSACTION) {
        let wanted: Vec<_> = chunk.iter().filter(|event| is_wanted(event)).cloned().collect();
        let snapshot = NotificationEvent::read_people_snapshot(app, &wanted).await?;
        let visible = wanted.iter().filter(|event| event.is_wanted(&snapshot));
        write_all(app, visible.flat_map(|event| event.repeatable_writes(app, &snapshot)).collect()).await?;
    }
    Ok(())
}

/// Applies all writes or none. Ignores a refused write, which means that the events were already recorded.
async fn write_all(app: &App, writes: Vec<Write>) -> Result<()> {
    if writes.is_empty() {
        return outcomes::end("no recipient wants it");
    }
    match <[Write; 1]>::try_from(writes) {
        // A single write outside of a transaction costs half.
        Ok([only]) => app.table.try_write(only).await.map(drop),
        Err(writes) => app.table.try_transact(writes).await.map(drop),
    }
}

fn about_user(user: UserId, kind: NotificationType, actor: UserId, at: Time) -> NotificationEvent {
    // Different events of the same millisecond need different IDs, because lists are sorted by ID.
    let id = event_id_at(at, &format!("{actor}#{user}#{}", kind.as_ref()));
    NotificationEvent::new(user, (kind, TargetType::User), user.into(), (actor, id, at))
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
