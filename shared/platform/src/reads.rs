//! Limits how many read requests a client may send.
//!
//! Each instance counts the reads of its clients in memory. It adds a client's count to the table at most once a
//! minute, and only above 100 reads. So most reads need no write. If a client's requests reach several instances, the
//! client can exceed the limit by the reads that each instance counts in a minute. A large response counts as several
//! reads.

use std::{
    cell::RefCell,
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use crate::{App, RateLimit, Result, rate_limit::FIVE_MINUTES};

/// An instance adds the pending reads of a client to the table only above this number.
const PENDING_MAX: i64 = 100;
/// Each 64 KiB of a response count as one more read, because large responses cost more.
const READ_BYTES: usize = 64 * 1024;
/// Minimum seconds between two additions to the table for the same client.
const ADDED_EVERY_SECONDS: i64 = 60;
/// If an instance has counted this many clients in a window, it does not count the reads of further clients.
const CLIENTS_MAX: usize = 10_000;

tokio::task_local! {
    /// The clients for which the current request is counted.
    static COUNTED: RefCell<Vec<String>>;
}

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
    count(app, who, most, PENDING_MAX).await
}

/// Counts a read of a user, each of whose sessions may send `sessions_most` reads. All sessions of the user together may
/// send twice that number.
///
/// # Errors
/// Fails with [`crate::Error::LimitReached`] if the user exceeds the limit.
pub async fn count_read_of_user(app: &App, user: &str, sessions_most: i64) -> Result<()> {
    count(app, user, sessions_most.saturating_mul(2), 2 * PENDING_MAX).await
}

/// Runs a request. Counts a large response as further reads of the clients of the request.
pub async fn count_large_response<T>(
    app: &App,
    request: impl Future<Output = T>,
    size: impl Fn(&T) -> usize,
) -> T {
    let counted = async {
        let response = request.await;
        let more = i64::try_from(size(&response) / READ_BYTES).unwrap_or(i64::MAX);
        if more > 0 {
            let (reads, now) = (app.memory.of::<Reads>(), app.now().seconds());
            for who in COUNTED.with(RefCell::take) {
                reads.count(&who, now, more);
            }
        }
        response
    };
    COUNTED.scope(RefCell::default(), counted).await
}

async fn count(app: &App, who: &str, most: i64, pending_max: i64) -> Result<()> {
    // Only a request that runs in `count_large_response` has this list.
    let _ = COUNTED.try_with(|counted| counted.borrow_mut().push(who.to_owned()));
    let limit = RateLimit { what: "reads", most, seconds: FIVE_MINUTES };
    let (reads, now) = (app.memory.of::<Reads>(), app.now().seconds());
    let mut client = reads.count(who, now, 1);
    let due = if client.pending > pending_max { reads.take_pending(who, now) } else { None };
    if let Some(pending) = due {
        client.total = limit.count_by(app, who, pending).await?.used;
        client.pending = 0;
        reads.set_total(who, client.total);
    }
    let status = limit.status_of(app, client.total + client.pending);
    if status.is_exceeded() { status.enforce() } else { Ok(()) }
}

impl Reads {
    /// Counts `by` reads. Returns the client.
    fn count(&self, who: &str, now: i64, by: i64) -> Client {
        let mut window = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if window.number != now / FIVE_MINUTES {
            *window = Window { number: now / FIVE_MINUTES, clients: HashMap::new() };
        }
        if window.clients.len() >= CLIENTS_MAX && !window.clients.contains_key(who) {
            return Client::default();
        }
        let client = window.clients.entry(who.to_owned()).or_default();
        client.pending = client.pending.saturating_add(by);
        *client
    }

    /// Removes and returns the pending reads, which the caller adds to the table. Returns `None` if the last addition was
    /// less than a minute ago.
    fn take_pending(&self, who: &str, now: i64) -> Option<i64> {
        let mut window = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let client = window.clients.get_mut(who)?;
        let is_due = now >= client.added_at + ADDED_EVERY_SECONDS;
        is_due.then(|| {
            client.added_at = now;
            std::mem::take(&mut client.pending)
        })
    }

    fn set_total(&self, who: &str, total: i64) {
        let mut window = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(client) = window.clients.get_mut(who) {
            client.total = total;
        }
    }
}
