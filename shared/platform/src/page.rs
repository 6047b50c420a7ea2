//! Pagination of lists.

use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use utoipa::{
    IntoParams, ToSchema,
    openapi::path::{Parameter, ParameterIn},
};

const TAKE_DEFAULT: usize = 20;
const TAKE_MAX: usize = 100;
/// Maximum number of reads for a page that skips hidden rows.
const READS_MAX: usize = 10;
/// Minimum number of rows that a read requests, except for the first read of a page.
const REFILL_MIN: usize = 10;

/// Number of rows on a page: default 20, maximum 100.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ToSchema)]
#[schema(value_type = u8, default = 20, minimum = 1)]
pub struct Take(usize);

impl Take {
    /// The largest number of rows.
    pub const MAX: Self = Self(TAKE_MAX);

    /// Returns a page size of `rows` rows, limited to the range from 1 to 100.
    pub fn of(rows: usize) -> Self {
        Self(rows.clamp(1, TAKE_MAX))
    }

    /// Returns the number of rows.
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
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        // A number that does not fit into a `usize` is above the maximum too.
        let rows = if is_number { text.parse().unwrap_or(TAKE_MAX) } else { 0 };
        match rows {
            0 => Err(D::Error::custom("must be a whole number of at least 1")),
            rows => Ok(Self(rows.min(TAKE_MAX))),
        }
    }
}

/// The paging parameters in the query string of a list.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(bound(deserialize = "P: Deserialize<'de>"))]
pub struct Cursor<P> {
    /// Number of rows to return.
    #[serde(default)]
    pub take: Take,
    /// Position of the last row before the page, or `None` for the first page.
    #[serde(default = "Option::default")]
    pub after: Option<P>,
}

/// The parameters of a [`Cursor`] in the API reference.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "only describes the parameters that `Cursor` reads")]
struct CursorParams {
    /// Number of rows to return.
    #[param(value_type = Option<u8>, default = 20, minimum = 1)]
    take: Take,
    /// Position of the last row before the page.
    after: Option<String>,
}

impl<P> IntoParams for Cursor<P> {
    fn into_params(place: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        CursorParams::into_params(place)
    }
}

/// One page of a list.
#[derive(Clone, Debug)]
pub struct Page<T> {
    /// The rows.
    pub rows: Vec<T>,
    /// Cursor of the next page, or `None` on the last page.
    pub after: Option<String>,
}

/// A page that several reads fill, because the list skips hidden rows.
///
/// Reading stops when the page is full, when the list ends, or after 10 reads. If most rows are hidden, the page can be
/// short. A short page still has a cursor if the list continues.
#[derive(Debug)]
pub struct FillingPage<T, P> {
    cursor: Cursor<P>,
    rows: Vec<T>,
    reads: usize,
    ended: bool,
    refill_min: usize,
}

impl<T, P: Clone + ToString> FillingPage<T, P> {
    /// Creates an empty page that begins after a cursor.
    pub fn new(cursor: Cursor<P>) -> Self {
        Self { cursor, rows: Vec::new(), reads: 0, ended: false, refill_min: REFILL_MIN }
    }

    /// Works like [`FillingPage::new`], but later reads can request fewer than [`REFILL_MIN`] rows. Use this function
    /// for lists in which each row costs another read.
    pub fn sparing(cursor: Cursor<P>) -> Self {
        Self { refill_min: 0, ..Self::new(cursor) }
    }

    /// Returns the cursor of the next read, or `None` if the page needs no further read. Each read must request one row
    /// more than the cursor's `take`.
    pub fn to_read(&self) -> Option<Cursor<P>> {
        let is_full = self.rows.len() > self.cursor.take.rows();
        let is_done = self.ended || is_full || self.reads == READS_MAX;
        (!is_done).then(|| Cursor { take: self.read_take(), after: self.cursor.after.clone() })
    }

    /// Returns the `take` of the next read. The first read has the size of the page. A later read may be larger,
    /// because it shows that the list has hidden rows.
    fn read_take(&self) -> Take {
        let take = self.cursor.take.rows();
        if self.reads == 0 { self.cursor.take } else { Take::of(take.max(self.refill_min)) }
    }

    /// Adds the visible rows of one read. `read` is the number of rows read, including hidden rows. `last` is the
    /// position of the last row read.
    pub fn add(&mut self, visible: impl IntoIterator<Item = T>, last: Option<P>, read: usize) {
        self.rows.extend(visible);
        self.cursor.after = last.or(self.cursor.after.take());
        self.ended = read <= self.read_take().rows();
        self.reads += 1;
    }

    /// Returns the finished page. `position` returns the cursor of a row.
    pub fn page(self, position: impl Fn(&T) -> String) -> Page<T> {
        let stopped = self.cursor.after.filter(|_| !self.ended).map(|position| position.to_string());
        Page::cut_or_stopped(self.rows, self.cursor.take, position, stopped)
    }
}

/// The `pagination` of a list.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Pagination {
    /// Whether more rows follow.
    pub has_more: bool,
    /// Cursor of the next page. Null on the last page.
    pub after: Option<String>,
}

impl<T> Page<T> {
    /// Creates a page of `take` rows from up to `take + 1` rows. If the additional row exists, the list continues, and
    /// the page gets a cursor.
    pub fn cut(mut rows: Vec<T>, take: Take, position: impl Fn(&T) -> String) -> Self {
        let more = rows.len() > take.rows();
        rows.truncate(take.rows());
        let after = rows.last().filter(|_| more).map(position);
        Self { rows, after }
    }

    /// Creates a page as [`Page::cut`] does. Without an additional row, the page's cursor is `stopped`, the position at
    /// which reading stopped.
    pub fn cut_or_stopped(
        rows: Vec<T>,
        take: Take,
        position: impl Fn(&T) -> String,
        stopped: Option<String>,
    ) -> Self {
        let Self { rows, after } = Self::cut(rows, take, position);
        Self { rows, after: after.or(stopped) }
    }

    /// Converts each row.
    pub fn map<U>(self, change: impl FnMut(T) -> U) -> Page<U> {
        Page { rows: self.rows.into_iter().map(change).collect(), after: self.after }
    }

    /// Returns the field `pagination` of the response.
    pub fn pagination(&self) -> Pagination {
        Pagination { has_more: self.after.is_some(), after: self.after.clone() }
    }
}
