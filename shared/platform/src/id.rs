//! IDs: ULIDs, with a separate type for each kind of resource.

use std::sync::{Arc, Mutex};

use ulid::{Generator, Ulid};

use crate::{Time, random::Random};

/// Declares one type for each kind of ID, so that a post's ID cannot be passed as a user's ID.
#[macro_export]
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, ::serde::Serialize, ::utoipa::ToSchema)]
        #[serde(transparent)]
        #[schema(value_type = String, example = "01KGB5T9G0A1B2C3D4E5F6G7H8")]
        pub struct $name(::ulid::Ulid);

        impl<'de> ::serde::Deserialize<'de> for $name {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <String as ::serde::Deserialize>::deserialize(deserializer)?;
                text.parse().map_err(<D::Error as ::serde::de::Error>::custom)
            }
        }

        impl $name {
            /// The lowest ID, which sorts before all others.
            pub const MIN: Self = Self(::ulid::Ulid(0));

            /// Returns the random bits of the ID. They spread rows over shards.
            pub fn random(self) -> u128 {
                self.0.random()
            }
        }

        impl From<::ulid::Ulid> for $name {
            fn from(id: ::ulid::Ulid) -> Self {
                Self(id)
            }
        }

        impl From<$name> for ::ulid::Ulid {
            fn from(id: $name) -> Self {
                id.0
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Display::fmt(&self.0, f)
            }
        }

        impl ::std::str::FromStr for $name {
            type Err = $crate::id::NotAnId;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                $crate::id::parse(text).map(Self)
            }
        }
    )*};
}

/// The error for a text that is not a ULID (26 characters of Crockford's base 32).
#[derive(Debug, thiserror::Error)]
#[error("must be an id")]
pub struct NotAnId;

/// The highest first character of a ULID. A higher character would need more than 128 bits.
const FIRST_MAX: char = '7';

/// Parses a ULID.
///
/// # Errors
/// Fails if the text is not a ULID, or stands for more than 128 bits.
pub fn parse(text: &str) -> Result<Ulid, NotAnId> {
    let fits = text.starts_with(|first: char| first <= FIRST_MAX);
    text.parse().ok().filter(|_| fits).ok_or(NotAnId)
}

/// Generates IDs. IDs from one instance sort in creation order.
#[derive(Default)]
pub struct Ids {
    generator: Mutex<Generator>,
    random: Arc<Random>,
}

impl Ids {
    pub(crate) fn new(random: Arc<Random>) -> Self {
        Self { generator: Mutex::default(), random }
    }

    /// Returns a new ID with the timestamp `now`.
    pub fn next<T: From<Ulid>>(&self, now: Time) -> T {
        let mut generator = self.generator.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let at = std::time::UNIX_EPOCH + std::time::Duration::from_millis(now.millis().max(0) as u64);
        let id = self.random.with(|random| {
            let id = generator.generate_from_datetime_with_source(at, random);
            id.unwrap_or_else(|overflow| overflow.commit_overflow_random())
        });
        T::from(id)
    }
}
