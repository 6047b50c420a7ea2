//! Deserializes enums case-insensitively.

use std::str::FromStr;

use serde::{Deserialize, Deserializer, de::Error};
use strum::VariantNames;

/// Deserializes an enum variant from its name, case-insensitively.
///
/// # Errors
/// Fails if no variant has the name. The error lists the allowed names.
pub fn deserialize<'de, T, D>(deserializer: D) -> Result<T, D::Error>
where
    T: FromStr + VariantNames,
    D: Deserializer<'de>,
{
    let name = String::deserialize(deserializer)?;
    name.parse().map_err(|_| D::Error::custom(format_args!("must be one of {}", T::VARIANTS.join(", "))))
}

/// Implements case-insensitive `Deserialize` for enums. The enums must derive strum's `VariantNames` and
/// case-insensitive `EnumString`.
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
