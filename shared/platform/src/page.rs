//! Pages of lists: where a page begins, how many rows it has, and whether more follow.

use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use utoipa::{
    IntoParams, ToSchema,
    openapi::path::{Parameter, ParameterIn},
};

const TAKE_DEFAULT: usize = 20;
const TAKE_MAX: usize = 100;
/// How often a page reads on past rows that it leaves out.
const READS_MAX: usize = 10;

/// How many rows a client asks for: 20 unless said, at most 100.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ToSchema)]
#[schema(value_type = u8, default = 20, minimum = 1)]
pub struct Take(usize);

impl Take {
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
        let digits = !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
        // A number with too many digits is above the maximum.
        let rows = if digits { text.parse().unwrap_or(TAKE_MAX) } else { 0 };
        match rows {
            0 => Err(D::Error::custom("must be a whole number of at least 1")),
            rows => Ok(Self(rows.min(TAKE_MAX))),
        }
    }
}

/// The query string of a list.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(bound(deserialize = "P: Deserialize<'de>"))]
pub struct Cursor<P> {
    /// How many rows to return.
    #[serde(default)]
    pub take: Take,
    /// The position after which the page begins.
    #[serde(default = "Option::default")]
    pub after: Option<P>,
}

/// What the API reference says of a [`Cursor`], whatever its positions are.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "only described: `Cursor` reads it")]
struct CursorParams {
    /// How many rows to return: 20 unless said, at most 100.
    #[param(value_type = Option<u8>, default = 20, minimum = 1)]
    take: Take,
    /// The `after` of the previous page: the rows after it are returned.
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
    /// Where the next page begins; none on the last page.
    pub after: Option<String>,
}

/// A page that is read step by step, because a list may leave out what it reads.
///
/// It ends when it is full or the list ends, and after 10 readings: where nearly all rows are left out, it is short and
/// says that more may follow.
#[derive(Debug)]
pub struct FillingPage<T, P> {
    cursor: Cursor<P>,
    rows: Vec<T>,
    reads: usize,
    ended: bool,
}

impl<T, P: Clone + ToString> FillingPage<T, P> {
    /// Begins the page behind a cursor.
    pub fn new(cursor: Cursor<P>) -> Self {
        Self { cursor, rows: Vec::new(), reads: 0, ended: false }
    }

    /// Returns the cursor behind which one row more than a page has is to be read; none when the page is done.
    pub fn to_read(&self) -> Option<Cursor<P>> {
        let is_done = self.ended || self.is_full() || self.reads == READS_MAX;
        (!is_done).then(|| self.cursor.clone())
    }

    /// Adds what is shown of the rows that were read: `last` is the position of the last one of so many.
    pub fn add(&mut self, shown: impl IntoIterator<Item = T>, last: Option<P>, read: usize) {
        self.rows.extend(shown);
        self.cursor.after = last.or(self.cursor.after.take());
        self.ended = read <= self.cursor.take.rows();
        self.reads += 1;
    }

    /// Returns the page.
    pub fn page(self, position: impl Fn(&T) -> String) -> Page<T> {
        let stopped = self.cursor.after.filter(|_| !self.ended).map(|it| it.to_string());
        Page::cut_or_stopped(self.rows, self.cursor.take, position, stopped)
    }

    fn is_full(&self) -> bool {
        self.rows.len() > self.cursor.take.rows()
    }
}

/// The `pagination` of a list.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Pagination {
    /// Whether more rows follow.
    pub has_more: bool,
    /// The `after` that asks for it; null on the last page.
    pub after: Option<String>,
}

impl<T> Page<T> {
    /// Makes a page of `take` rows out of up to `take + 1` that were read: the last one only shows that more rows
    /// follow.
    pub fn cut(mut rows: Vec<T>, take: Take, position: impl Fn(&T) -> String) -> Self {
        let more = rows.len() > take.rows();
        rows.truncate(take.rows());
        let after = rows.last().filter(|_| more).map(position);
        Self { rows, after }
    }

    /// Makes a page as [`Page::cut`] does. Where the reading stopped before the page was full, the next page begins at
    /// `stopped`: so each request does bounded work, however much is hidden from who asks.
    pub fn cut_or_stopped(
        rows: Vec<T>,
        take: Take,
        position: impl Fn(&T) -> String,
        stopped: Option<String>,
    ) -> Self {
        let Self { rows, after } = Self::cut(rows, take, position);
        Self { rows, after: after.or(stopped) }
    }

    /// Returns the page with each of its rows changed.
    pub fn map<U>(self, change: impl FnMut(T) -> U) -> Page<U> {
        Page { rows: self.rows.into_iter().map(change).collect(), after: self.after }
    }

    /// Returns the page's `pagination`.
    pub fn pagination(&self) -> Pagination {
        Pagination { has_more: self.after.is_some(), after: self.after.clone() }
    }
}
