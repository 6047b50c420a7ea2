//! Calendar months of statistics.

use std::fmt;

use platform::Time;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A calendar month in UTC, such as `2026-11`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String")]
#[schema(value_type = String, pattern = "^[0-9]{4}-(0[1-9]|1[0-2])$", example = "2026-11")]
pub struct Month(String);

impl TryFrom<String> for Month {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let is_month = match text.as_bytes() {
            [year @ .., b'-', tens @ b'0'..=b'1', ones @ b'0'..=b'9'] => {
                let month = (tens - b'0') * 10 + (ones - b'0');
                year.len() == 4 && year.iter().all(u8::is_ascii_digit) && (1..=12).contains(&month)
            }
            _ => false,
        };
        if is_month { Ok(Self(text)) } else { Err("must be a month such as 2026-11") }
    }
}

impl fmt::Display for Month {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Month {
    pub(crate) fn of(time: Time) -> Self {
        Self(time.to_string().chars().take("2026-11".len()).collect())
    }
}
