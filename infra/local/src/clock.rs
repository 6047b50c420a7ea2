//! The stack's clock: the real one or one that stands still, and both can be moved forward.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use anyhow::Result;
use jiff::{SignedDuration, Timestamp};
use tokio::sync::Notify;

use crate::disk::{Disk, Unwritten};

/// How many milliseconds the clock is ahead.
const KEPT: &str = "clock";

/// Where a stack's clock starts.
#[derive(Clone, Copy, Debug, Default)]
pub enum Start {
    /// At the real time, and it runs.
    #[default]
    Now,
    /// At this time, and it stands still until it is moved.
    At(Timestamp),
}

/// A handle on the one clock of a stack; clones share it.
#[derive(Clone)]
pub struct Clock(Arc<Inner>);

struct Inner {
    still: Option<Timestamp>,
    ahead_millis: AtomicI64,
    moving: Mutex<Disk>,
    moved: Notify,
}

impl Clock {
    /// A clock that was moved before is as far ahead again.
    pub(crate) fn new(start: Start, disk: Disk) -> Result<Self> {
        let still = match start {
            Start::Now => None,
            Start::At(time) => Some(time),
        };
        let ahead = disk.value(KEPT)?.unwrap_or(0);
        let ahead_millis = AtomicI64::new(ahead);
        Ok(Self(Arc::new(Inner { still, ahead_millis, moving: Mutex::new(disk), moved: Notify::new() })))
    }

    /// The stack's time.
    pub fn now(&self) -> Timestamp {
        let base = self.0.still.unwrap_or_else(real);
        base.saturating_add(SignedDuration::from_millis(self.0.ahead_millis.load(Ordering::Acquire)))
            .unwrap_or(Timestamp::MAX)
    }

    /// Moves forward to `time`; a time that has passed changes nothing. It is kept first: nothing may happen later
    /// than the time that a restart begins with.
    pub(crate) fn move_to(&self, time: Timestamp) -> Result<(), Unwritten> {
        let disk = self.0.moving.lock().unwrap_or_else(PoisonError::into_inner);
        let step = time.duration_since(self.now()).as_millis_f64().ceil();
        if step > 0.0 {
            let ahead = self.0.ahead_millis.load(Ordering::Acquire) + step as i64;
            disk.keep(KEPT, &ahead)?;
            self.0.ahead_millis.store(ahead, Ordering::Release);
            self.0.moved.notify_waiters();
        }
        Ok(())
    }

    /// Waits until the stack's time is `time`, by running or by being moved.
    pub(crate) async fn reach(&self, time: Timestamp) {
        loop {
            let moved = self.0.moved.notified();
            let left = time.duration_since(self.now());
            if !left.is_positive() {
                return;
            }
            match (self.0.still, Duration::try_from(left)) {
                (None, Ok(left)) => {
                    let _ = tokio::time::timeout(left, moved).await;
                }
                _ => moved.await,
            }
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "what the product's clock is made of here")]
fn real() -> Timestamp {
    Timestamp::now()
}

/// RFC 3339, UTC, milliseconds: as the service shows times.
pub(crate) fn show(time: Timestamp) -> String {
    time.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
}
