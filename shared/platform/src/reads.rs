//! Limits how many read requests a client may send.
//!
//! Each instance counts the reads of its clients in memory. It adds a client's count to the table at most once a
//! minute, and only above 100 reads. So most reads need no write. A client whose requests reach several instances can
//! exceed the limit, by the reads that each instance counts in a minute.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use crate::{
    App, Result,
    rate_limit::{FIVE_MINUTES, RateLimit},
};

/// An instance adds the pending reads of a client to the table only above this number.
const PENDING_MAX: i64 = 100;
/// Minimum seconds between two additions to the table for the same client.
const ADDED_EVERY_SECONDS: i64 = 60;
const CLIENTS_MAX: usize = 10_000;

/// The reads of this instance's clients in the current window.
#[derive(Default)]
struct Reads(Mutex<Window>);

#[derive(Default)]
struct Window {
    number: i64,
    clients: HashMap<String, Client>,
}

#[derive(Clone, Copy, Default)]
struct Client {
    /// Reads that are not in the table yet.
    pending: i64,
    /// The client's reads in the table after this instance's last addition.
    total: i64,
    /// Time of the last addition to the table, in Unix seconds.
    added_at: i64,
}

/// Counts a read of the client `who`, at most `most` in five minutes.
///
/// # Errors
/// Fails with [`crate::Error::LimitReached`] if the client exceeds the limit.
pub async fn count_read(app: &App, who: &str, most: i64) -> Result<()> {
    let limit = RateLimit { what: "reads", most, seconds: FIVE_MINUTES };
    let (reads, now) = (app.memory.of::<Reads>(), app.now().seconds());
    let (mut client, is_due) = reads.count(who, now);
    if is_due {
        client.total = limit.count_by(app, who, client.pending).await?.used;
        client.pending = 0;
        reads.set_total(who, client.total);
    }
    let status = limit.status_of(app, client.total + client.pending);
    if status.is_exceeded() { status.enforce() } else { Ok(()) }
}

impl Reads {
    /// Counts a read. Returns the client, and whether its pending reads must now be added to the table.
    fn count(&self, who: &str, now: i64) -> (Client, bool) {
        let mut window = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if window.number != now / FIVE_MINUTES {
            *window = Window { number: now / FIVE_MINUTES, clients: HashMap::new() };
        }
        if window.clients.len() >= CLIENTS_MAX && !window.clients.contains_key(who) {
            return (Client::default(), false);
        }
        let client = window.clients.entry(who.to_owned()).or_default();
        client.pending += 1;
        let counted = *client;
        let is_due = counted.pending > PENDING_MAX && now >= counted.added_at + ADDED_EVERY_SECONDS;
        if is_due {
            (client.pending, client.added_at) = (0, now);
        }
        (counted, is_due)
    }

    fn set_total(&self, who: &str, total: i64) {
        let mut window = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(client) = window.clients.get_mut(who) {
            client.total = total;
        }
    }
}
