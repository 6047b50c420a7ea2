//! The reason why an input does not have the expected type.

use std::fmt::Display;

use serde::de::{Error, Expected, Unexpected};

pub(super) const NOT_AN_OBJECT: &str = "must be an object";

#[derive(Debug, thiserror::Error)]
#[error("{why}")]
pub(super) struct Problem {
    /// The path of the field, or `None` for the whole input.
    pub(super) path: Option<String>,
    /// What the field must be.
    pub(super) why: String,
}

impl Problem {
    /// Returns this problem with `field` prepended to its path.
    pub(super) fn of_parent(self, field: &str) -> Self {
        Self { path: Some(self.path.map_or_else(|| field.to_owned(), |path| join(field, &path))), ..self }
    }

    fn must_be(expected: &str) -> Self {
        let why = match expected {
            "a boolean" => "must be true or false".to_owned(),
            "a sequence" => "must be an array".to_owned(),
            "f32" | "f64" => "must be a number".to_owned(),
            "i8" | "i16" | "i32" | "i64" => "must be a whole number".to_owned(),
            "u8" | "u16" | "u32" | "u64" | "usize" => "must be a whole number of at least 0".to_owned(),
            name if name == "a map" || name.starts_with("struct ") => NOT_AN_OBJECT.to_owned(),
            name => format!("must be {name}"),
        };
        Self { path: None, why }
    }
}

/// Joins two paths, for example `media` and `[0].url`.
pub(super) fn join(parent: &str, path: &str) -> String {
    let separator = if parent.is_empty() || path.starts_with('[') { "" } else { "." };
    format!("{parent}{separator}{path}")
}

impl Error for Problem {
    fn custom<T: Display>(why: T) -> Self {
        Self { path: None, why: why.to_string() }
    }

    fn invalid_type(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::must_be(&expected.to_string())
    }

    fn invalid_value(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::must_be(&expected.to_string())
    }

    fn unknown_variant(_: &str, expected: &'static [&'static str]) -> Self {
        Self::custom(format_args!("must be one of {}", expected.join(", ")))
    }

    fn missing_field(field: &'static str) -> Self {
        Self { path: Some(field.to_owned()), why: "is required".to_owned() }
    }

    fn duplicate_field(field: &'static str) -> Self {
        Self { path: Some(field.to_owned()), why: "must be given only once".to_owned() }
    }
}
