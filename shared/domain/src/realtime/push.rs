//! Pushes the bus events of a batch together.

use std::collections::BTreeMap;

use futures::{StreamExt, stream};
use platform::{App, bus::BusEvent, error::Error};

use crate::realtime::{
    pusher::{self, Push},
    pushes::pushes_of,
};

/// The most events whose rows are read at the same time.
const READ_AT_ONCE: usize = 10;

/// Pushes events to the people they concern. Returns the index and the error of each event that failed: of one that
/// cannot be pushed, and of those whose pushes were in a call that failed. The queue brings them again.
///
/// Pushes nothing where there is no push provider, nor about a row that no longer exists. What is pushed carries the
/// event's id as `eventId`: whoever hears of an event twice knows it again.
///
/// Costs up to 3 calls and 1.5 RRU an event, and 0.5 RRU more for each 4 KB of members; and the requests of
/// [`pusher::push_all`]: 1 for ten events that each go to one channel, 3 for ten messages between two people.
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
    let reads = stream::iter(events).map(|it| pushes_of(app, it));
    reads.buffered(READ_AT_ONCE).collect().await
}
