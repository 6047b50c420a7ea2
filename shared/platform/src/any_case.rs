//! Enums whose words a client may write in any case.

use std::str::FromStr;

use serde::{Deserialize, Deserializer, de::Error};
use strum::VariantNames;

/// Reads a word in any case; the error lists the words.
///
/// # Errors
/// Fails for any other word.
pub fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: FromStr + VariantNames,
    D: Deserializer<'de>,
{
    let word = String::deserialize(deserializer)?;
    word.parse().map_err(|_| D::Error::custom(format_args!("must be one of {}", T::VARIANTS.join(" "))))
}

/// Deserializes enums by [`deserialize`]. They derive strum's `EnumString`, in any case, and `VariantNames`.
#[macro_export]
macro_rules! deserialize_in_any_case {
    ($($name:ty),+) => {$(
        impl<'de> ::serde::Deserialize<'de> for $name {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::any_case::deserialize(deserializer)
            }
        }
    )+};
}
