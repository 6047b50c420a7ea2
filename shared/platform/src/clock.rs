//! The source of the current time.

use std::sync::Arc;

/// Returns the current time.
pub type Clock = Arc<dyn Fn() -> jiff::Timestamp + Send + Sync>;

/// Returns the system clock.
#[expect(clippy::disallowed_methods, reason = "the one place where the system clock is read")]
pub fn system_clock() -> Clock {
    Arc::new(jiff::Timestamp::now)
}
