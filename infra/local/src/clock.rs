//! The stack's clock. Its time is the real time or a frozen time, plus an offset.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use anyhow::Result;
use jiff::{SignedDuration, Timestamp};
use tokio::sync::Notify;

use crate::{
    disk::{Disk, SaveFailed},
    lock::lock,
};

/// Name under which the clock's offset is saved on disk. The offset is in milliseconds.
const OFFSET: &str = "clock";

/// The time at which a stack's clock starts.
#[derive(Clone, Copy, Debug, Default)]
pub enum Start {
    /// Real time.
    #[default]
    Now,
    /// A fixed time. The clock stands still until it is moved.
    At(Timestamp),
}

/// A stack's clock. Clones share the time.
#[derive(Clone)]
pub struct Clock(Arc<Inner>);

struct Inner {
    frozen: Option<Timestamp>,
    offset_millis: AtomicI64,
    moving: Mutex<Disk>,
    moved: Notify,
}

impl Clock {
    /// Opens the clock with its saved offset.
    pub(crate) fn new(start: Start, disk: Disk) -> Result<Self> {
        let frozen = match start {
            Start::Now => None,
            Start::At(time) => Some(time),
        };
        let offset = disk.value(OFFSET)?.unwrap_or(0);
        let offset_millis = AtomicI64::new(offset);
        Ok(Self(Arc::new(Inner { frozen, offset_millis, moving: Mutex::new(disk), moved: Notify::new() })))
    }

    /// Returns the stack's current time.
    pub fn now(&self) -> Timestamp {
        let base = self.0.frozen.unwrap_or_else(real);
        base.saturating_add(SignedDuration::from_millis(self.0.offset_millis.load(Ordering::Acquire)))
            .unwrap_or(Timestamp::MAX)
    }

    /// Moves the clock forward to `time`. A time in the past has no effect. Saves the offset first, so that time never
    /// goes backward after a restart.
    pub(crate) fn move_to(&self, time: Timestamp) -> Result<(), SaveFailed> {
        let disk = lock(&self.0.moving);
        let step = time.duration_since(self.now()).as_millis_f64().ceil();
        if step > 0.0 {
            let offset = self.0.offset_millis.load(Ordering::Acquire) + step as i64;
            disk.save(OFFSET, &offset)?;
            self.0.offset_millis.store(offset, Ordering::Release);
            self.0.moved.notify_waiters();
        }
        Ok(())
    }

    pub(crate) async fn reach(&self, time: Timestamp) {
        loop {
            let moved = self.0.moved.notified();
            let left = time.duration_since(self.now());
            if !left.is_positive() {
                return;
            }
            match (self.0.frozen, Duration::try_from(left)) {
                (None, Ok(left)) => {
                    let _ = tokio::time::timeout(left, moved).await;
                }
                _ => moved.await,
            }
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the clock reads real time")]
fn real() -> Timestamp {
    Timestamp::now()
}

/// Formats a time like the API: RFC 3339 in UTC with milliseconds.
pub(crate) fn show(time: Timestamp) -> String {
    time.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
}
