//! Lists in pages: a position, a size, and whether there is more.

use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use utoipa::{IntoParams, ToSchema};

const TAKE_DEFAULT: usize = 20;
const TAKE_MAX: usize = 100;

/// How many rows a client wants: 20 unless said, 100 at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ToSchema)]
#[schema(value_type = u8, default = 20, minimum = 1, maximum = 100)]
pub struct Take(usize);

impl Take {
    /// The number of rows.
    pub fn rows(self) -> usize {
        self.0
    }
}

impl Default for Take {
    fn default() -> Self {
        Self(TAKE_DEFAULT)
    }
}

impl<'de> Deserialize<'de> for Take {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let digits = !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
        // More digits than fit is still a number above the maximum.
        let rows = if digits { text.parse().unwrap_or(TAKE_MAX) } else { 0 };
        match rows {
            0 => Err(D::Error::custom("must be a whole number of at least 1")),
            rows => Ok(Self(rows.min(TAKE_MAX))),
        }
    }
}

/// The query of a cursor list.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(bound(deserialize = "P: Deserialize<'de>"))]
#[into_params(parameter_in = Query)]
pub struct Cursor<P: utoipa::__dev::ComposeSchema> {
    /// Rows wanted: 20 unless said, 100 at most.
    #[serde(default)]
    #[param(value_type = Option<u8>, default = 20, minimum = 1, maximum = 100)]
    pub take: Take,
    /// The `after` of the page before: rows that follow it.
    #[serde(default = "Option::default")]
    #[param(value_type = Option<String>)]
    pub after: Option<P>,
}

/// One page of a list.
#[derive(Clone, Debug)]
pub struct Page<T> {
    /// The rows.
    pub rows: Vec<T>,
    /// Where the next page starts; none on the last.
    pub after: Option<String>,
}

/// `pagination` of a cursor list.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Pagination {
    /// Whether there is a next page.
    pub has_more: bool,
    /// The `after` that asks for it; null on the last page.
    pub after: Option<String>,
}

impl<T> Page<T> {
    /// A page of `take` rows out of up to `take + 1` that were read: the one more is never shown,
    /// it only tells that there is more.
    pub fn cut(mut rows: Vec<T>, take: Take, position: impl Fn(&T) -> String) -> Self {
        let more = rows.len() > take.rows();
        rows.truncate(take.rows());
        let after = rows.last().filter(|_| more).map(position);
        Self { rows, after }
    }

    /// The same page with other rows in it.
    pub fn map<U>(self, change: impl FnMut(T) -> U) -> Page<U> {
        Page { rows: self.rows.into_iter().map(change).collect(), after: self.after }
    }

    /// The page's `pagination`.
    pub fn pagination(&self) -> Pagination {
        Pagination { has_more: self.after.is_some(), after: self.after.clone() }
    }
}
