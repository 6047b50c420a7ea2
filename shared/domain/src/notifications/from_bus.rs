//! What the bus tells of, for those whom it concerns. It may be told twice; it is written down once.

use platform::{
    App,
    bus::{BusEvent, Event},
    error::{Error, Result},
    time::Time,
};
use sha2::{Digest, Sha256};
use ulid::Ulid;

use super::{NotificationEvent, NotificationType, TargetType};
use crate::{
    conversations::{self, MessageSent},
    ids::{EventId, UserId},
    people::{follows::Followed, friendships::FriendRequested},
};

/// Two steps for each, of the 100 that a transaction holds.
const TOGETHER_MAX: usize = 49;

/// Writes down what an event is for those whom it concerns; again, it changes nothing. 1 call for each
/// 49 of them, 5 WRU each; for a message 1 call more, 0.5 RRU for each 15 members.
///
/// # Errors
/// Internal only.
pub async fn note(app: &App, event: &BusEvent) -> Result<()> {
    let events = match event.name() {
        Followed::NAME => {
            let it: Followed = event.detail()?;
            about_user(it.following_id, NotificationType::Follow, it.follower_id, it.created_at)
        }
        FriendRequested::NAME => {
            let it: FriendRequested = event.detail()?;
            about_user(it.receiver_id, NotificationType::FriendRequest, it.sender_id, it.created_at)
        }
        MessageSent::NAME => new_message(app, &event.detail()?).await?,
        _ => return Err(event.unexpected()),
    };
    for some in events.chunks(TOGETHER_MAX) {
        let unmuted = NotificationEvent::unmuted(app, some.to_vec()).await?;
        let writes: Vec<_> = unmuted.iter().flat_map(|it| it.writes(app)).collect();
        if writes.is_empty() {
            continue;
        }
        match app.table.transact(writes).await {
            // All of them were written down together before.
            Err(Error::Conflict(_)) => {}
            done => done?,
        }
    }
    Ok(())
}

fn about_user(user: UserId, kind: NotificationType, actor: UserId, at: Time) -> Vec<NotificationEvent> {
    let id = id_of(at, &format!("{actor}#{user}"));
    let target = Ulid::from_bytes(user.to_bytes());
    vec![NotificationEvent::new(user, (kind, TargetType::User), target, (actor, id, at))]
}

async fn new_message(app: &App, sent: &MessageSent) -> Result<Vec<NotificationEvent>> {
    let kinds = (NotificationType::NewMessage, TargetType::MessageGroup);
    let (group, id) = (Ulid::from(sent.group_id), EventId::from(Ulid::from(sent.message_id)));
    let members = conversations::members(app, sent.group_id).await?;
    let others = members.iter().filter(|it| it.user != sent.sender_id);
    let told = |user| NotificationEvent::new(user, kinds, group, (sent.sender_id, id, sent.created_at));
    Ok(others.map(|it| told(it.user)).collect())
}

/// The same for the same event, so that it is known again.
fn id_of(at: Time, seed: &str) -> EventId {
    let hash = Sha256::digest(seed.as_bytes());
    let random = hash.iter().take(10).fold(0, |bits: u128, byte| bits << 8 | u128::from(*byte));
    EventId::from(Ulid::from_parts(at.millis().max(0) as u64, random))
}
