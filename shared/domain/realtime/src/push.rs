//! Pushes the bus events of a batch together, and ends the connections of users who lost access.

use std::collections::BTreeMap;

use accounts::SignedOut;
use base::UserId;
use circles::CircleLeft;
use conversations::MemberLeft;
use futures::{StreamExt, stream};
use people::relationships::UserBlocked;
use platform::{App, BusEvent, Error, bus::Event, outcomes};

use crate::{
    pusher::{self, Push},
    pushes::pushes_of,
    unread::Unread,
};

/// Maximum number of events whose rows are read in parallel.
const PARALLEL_READS: usize = 10;

/// Pushes events to their recipients. Returns the index and the error of each event that failed. An event also fails if
/// a provider call with one of the event's pushes fails. The queue retries failed events.
///
/// Pushes nothing if no push provider is configured. Skips events about data that no longer exists. Each push contains
/// the event's ID as `eventId`, so that clients can detect duplicates.
pub async fn push_all(app: &App, events: &[BusEvent]) -> Vec<(usize, Error)> {
    if app.settings.pusher.is_none() {
        outcomes::note("no push provider");
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
            outcomes::note("connections were ended");
            pusher::disconnect(app, user).await?;
        }
        pushes_of(app, event, unread.as_ref()).await
    };
    let reads = stream::iter(events).map(of_event);
    reads.buffered(PARALLEL_READS).collect().await
}

/// Returns the user whose connections an event ends, if any. The user signed out, was suspended, blocked another user,
/// or is no longer in a group or circle. After a block, the client reconnects, and then receives no typing events of
/// the blocked user.
fn disconnected(event: &BusEvent) -> platform::Result<Option<UserId>> {
    Ok(match event.name() {
        SignedOut::NAME => Some(event.detail::<SignedOut>()?.user_id),
        UserBlocked::NAME => Some(event.detail::<UserBlocked>()?.blocker_id),
        MemberLeft::NAME => Some(event.detail::<MemberLeft>()?.user_id),
        CircleLeft::NAME => Some(event.detail::<CircleLeft>()?.user_id),
        _ => None,
    })
}
