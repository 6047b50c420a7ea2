//! The token bucket that limits the rate of requests to the API.

use std::sync::Mutex;

use tokio::time::Instant;

use crate::{lock::lock, template};

/// A token bucket. It uses real time, not the stack's clock.
pub(super) struct Throttle {
    limits: template::Throttle,
    bucket: Mutex<(f64, Instant)>,
}

impl Throttle {
    pub(super) fn new(limits: template::Throttle) -> Self {
        Self { limits, bucket: Mutex::new((limits.burst, Instant::now())) }
    }

    pub(super) fn take(&self) -> bool {
        let mut bucket = lock(&self.bucket);
        let (tokens, filled) = *bucket;
        let now = Instant::now();
        let tokens =
            (tokens + now.duration_since(filled).as_secs_f64() * self.limits.rate).min(self.limits.burst);
        let taken = tokens >= 1.0;
        *bucket = (if taken { tokens - 1.0 } else { tokens }, now);
        taken
    }
}
