//! Records the bus events that concern somebody. The bus may deliver an event twice; it is recorded once.

use base::ids::{EventId, UserId};
use conversations::{MessageSeen, MessageSent};
use people::{follows::Followed, friendships::FriendRequested};
use platform::{
    App, Result,
    bus::{BusEvent, Event},
    table::Write,
    time::Time,
};
use ulid::Ulid;

use super::{
    NotificationEvent, NotificationType, TargetType, reads::conversation_read, subject::hashed_ulid,
};

/// Each event takes up to two of the 100 writes of a transaction, and two of the 100 keys of a look.
const EVENTS_PER_TRANSACTION: usize = 49;

/// Records a bus event for each of its recipients. Recording it again changes nothing.
///
/// A conversation that was read has its notification read.
///
/// # Errors
/// Internal, when the event is of an unexpected kind.
pub async fn record(app: &App, event: &BusEvent) -> Result<()> {
    let events = match event.name() {
        Followed::NAME => {
            let it: Followed = event.detail()?;
            vec![about_user(it.following_id, NotificationType::Follow, it.follower_id, it.created_at)]
        }
        FriendRequested::NAME => {
            let it: FriendRequested = event.detail()?;
            vec![about_user(it.receiver_id, NotificationType::FriendRequest, it.sender_id, it.created_at)]
        }
        MessageSeen::NAME => return conversation_read(app, &event.detail()?).await,
        MessageSent::NAME => new_message(app, &event.detail()?).await?,
        _ => return Err(event.unexpected()),
    };
    record_all(app, &events).await
}

/// Records events, except of people whom their recipients muted or block. Recording them again changes nothing.
pub async fn record_all(app: &App, events: &[NotificationEvent]) -> Result<()> {
    record_those(app, events, |_| true).await
}

/// Records the events that are wanted, as [`record_all`] does. What is wanted may change until it is done again.
pub async fn record_those(
    app: &App,
    events: &[NotificationEvent],
    is_wanted: impl Fn(&NotificationEvent) -> bool,
) -> Result<()> {
    // The events of a chunk are the same each time: one that was recorded says that all of it were.
    for chunk in events.chunks(EVENTS_PER_TRANSACTION) {
        let wanted: Vec<_> = chunk.iter().filter(|it| is_wanted(it)).cloned().collect();
        let snapshot = NotificationEvent::read_people_snapshot(app, &wanted).await?;
        let heard = wanted.iter().filter(|it| it.is_wanted(&snapshot));
        write_all(app, heard.flat_map(|it| it.writes_again(app, &snapshot)).collect()).await?;
    }
    Ok(())
}

/// Writes all or none. A refusal says that what they record was recorded before.
async fn write_all(app: &App, mut writes: Vec<Write>) -> Result<()> {
    match (writes.pop(), writes.is_empty()) {
        (None, _) => Ok(()),
        // One alone needs no transaction, and costs half.
        (Some(only), true) => app.table.try_write(only).await.map(drop),
        (Some(last), false) => {
            writes.push(last);
            app.table.try_transact(writes).await.map(drop)
        }
    }
}

fn about_user(user: UserId, kind: NotificationType, actor: UserId, at: Time) -> NotificationEvent {
    // The same event always gets the same id, and another one of the same millisecond another id: lists are read by it.
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
    let others = members.iter().filter(|it| it.user != sent.sender_id && !it.is_muted);
    let event = |user| NotificationEvent::new(user, kinds, group, (sent.sender_id, id, sent.created_at));
    Ok(others.map(|it| event(it.user)).collect())
}
