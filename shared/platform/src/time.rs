//! Timestamps in the format of the table and the API.

use std::{fmt, str::FromStr};

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{KnownFormat, ObjectBuilder, RefOr, Schema, SchemaFormat, schema::Type},
};

/// The error for a text that is not a valid time. Later times than this maximum cannot be stored.
const REFUSAL: &str = "must be a time like 2026-01-31T09:30:00.000Z, at most 9999-12-30T22:00:00.000Z";
/// An hour in seconds.
pub const HOUR_SECONDS: i64 = 60 * 60;

/// A UTC timestamp in whole milliseconds, such as `2026-01-31T09:30:00.000Z`. Its text form sorts by time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(Timestamp);

impl Time {
    /// Returns the Unix time in milliseconds.
    pub fn millis(self) -> i64 {
        self.0.as_millisecond()
    }

    /// Returns the Unix time in whole seconds, the unit of `ttl` attributes and tokens.
    pub fn seconds(self) -> i64 {
        self.0.as_second()
    }

    /// Returns the UTC date, such as `2026-01-31`.
    pub fn day(self) -> String {
        self.0.strftime("%F").to_string()
    }

    /// Returns the ISO week in UTC, such as `2026-W05`.
    pub fn week(self) -> String {
        self.0.strftime("%G-W%V").to_string()
    }

    /// Returns the start of this time's hour in UTC.
    pub fn hour(self) -> Self {
        let seconds = self.seconds();
        Self::from_seconds(seconds - seconds.rem_euclid(HOUR_SECONDS))
    }

    /// Returns the time `seconds` later. A negative number returns an earlier time.
    pub fn plus_seconds(self, seconds: i64) -> Self {
        let moved = self.0.saturating_add(SignedDuration::from_secs(seconds));
        Self(moved.unwrap_or(self.0))
    }

    /// Returns the whole seconds since `earlier`.
    pub fn seconds_since(self, earlier: Time) -> i64 {
        (self.millis() - earlier.millis()) / 1000
    }

    /// Returns the time for a Unix time in seconds.
    pub fn from_seconds(seconds: i64) -> Self {
        Self(Timestamp::from_second(seconds).unwrap_or(Timestamp::MAX))
    }
}

impl FromStr for Time {
    type Err = jiff::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse::<Timestamp>().map(Self::from)
    }
}

impl From<Timestamp> for Time {
    fn from(at: Timestamp) -> Self {
        Self(Timestamp::from_millisecond(at.as_millisecond()).unwrap_or(at))
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3}", self.0)
    }
}

impl Serialize for Time {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Time {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|_| D::Error::custom(REFUSAL))
    }
}

impl PartialSchema for Time {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)))
            .examples(["2026-01-31T09:30:00.000Z"])
            .into()
    }
}

impl ToSchema for Time {}
