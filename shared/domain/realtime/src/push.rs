//! Pushes the bus events of a batch together, and ends the connections of those who are no longer to hear.

use std::collections::BTreeMap;

use accounts::SignedOut;
use base::ids::UserId;
use circles::CircleLeft;
use conversations::MemberLeft;
use futures::{StreamExt, stream};
use people::relationships::UserBlocked;
use platform::{
    App,
    bus::{BusEvent, Event},
    error::Error,
};

use crate::{
    pusher::{self, Push},
    pushes::pushes_of,
    unread::Unread,
};

/// The most events whose rows are read at the same time.
const READ_AT_ONCE: usize = 10;

/// Pushes events to the people they concern. Returns the index and the error of each event that failed: of one that
/// cannot be pushed, and of those whose pushes were in a call that failed. The queue brings them again.
///
/// Pushes nothing where there is no push provider, nor about a row that no longer exists. What is pushed carries the
/// event's id as `eventId`: whoever hears of an event twice knows it again.
pub async fn push_all(app: &App, events: &[BusEvent]) -> Vec<(usize, Error)> {
    if app.settings.pusher.is_none() {
        return Vec::new();
    }
    let (mut failed, mut indexes, mut pushes) = (BTreeMap::new(), Vec::new(), Vec::new());
    for (index, read) in pushes_of_all(app, events).await.into_iter().enumerate() {
        match read {
            Ok(of_event) => {
                indexes.extend(of_event.iter().map(|_| index));
                pushes.extend(of_event);
            }
            Err(error) => drop(failed.insert(index, error)),
        }
    }
    for (push, error) in pusher::push_all(app, &pushes).await {
        if let Some(index) = indexes.get(push) {
            failed.entry(*index).or_insert(error);
        }
    }
    failed.into_iter().collect()
}

async fn pushes_of_all(app: &App, events: &[BusEvent]) -> Vec<platform::Result<Vec<Push>>> {
    let unread = Unread::of(app, events).await;
    let of_event = async |event: &BusEvent| {
        if let Some(user) = disconnected(event)? {
            pusher::disconnect(app, user).await?;
        }
        pushes_of(app, event, unread.as_ref()).await
    };
    let reads = stream::iter(events).map(of_event);
    reads.buffered(READ_AT_ONCE).collect().await
}

/// Returns the user whose connections end by an event: who signed out or was suspended; who blocked somebody, so that what
/// the other's client says in a chat of both no longer comes there; and who left a group or a circle, or was removed from it.
fn disconnected(event: &BusEvent) -> platform::Result<Option<UserId>> {
    Ok(match event.name() {
        SignedOut::NAME => Some(event.detail::<SignedOut>()?.user_id),
        UserBlocked::NAME => Some(event.detail::<UserBlocked>()?.blocker_id),
        MemberLeft::NAME => Some(event.detail::<MemberLeft>()?.user_id),
        CircleLeft::NAME => Some(event.detail::<CircleLeft>()?.user_id),
        _ => None,
    })
}
