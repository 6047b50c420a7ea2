//! Conversions between times and IDs. An ID contains its time in milliseconds.

use platform::Time;
use ulid::Ulid;

/// Returns the lowest ID with the time `at`.
pub fn first_id<T: From<Ulid>>(at: Time) -> T {
    Ulid::from_parts(at.millis().max(0).cast_unsigned(), 0).into()
}

/// Returns the time of an ID, in whole seconds.
pub fn time_of(id: impl Into<Ulid>) -> Time {
    Time::from_seconds(id.into().timestamp_ms().cast_signed() / 1000)
}
