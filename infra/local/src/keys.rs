//! What `shared/keys.toml` says about the table: kinds of rows, budgets, dollars.

use std::{collections::BTreeMap, sync::LazyLock};

use serde::Deserialize;

const SOURCE: &str = include_str!("../../../shared/keys.toml");

/// The whole file.
#[expect(clippy::expect_used, reason = "the file is compiled in")]
pub static KEYS: LazyLock<Keys> = LazyLock::new(|| toml::from_str(SOURCE).expect("keys.toml is readable"));

/// The chapters of the file.
#[derive(Deserialize)]
pub struct Keys {
    #[serde(rename = "intro")]
    _intro: String,
    #[serde(flatten)]
    areas: BTreeMap<String, Area>,
}

#[derive(Deserialize)]
struct Area {
    #[serde(default)]
    rows: BTreeMap<String, RowKind>,
    #[serde(default)]
    budgets: BTreeMap<String, Budget>,
    #[serde(default)]
    a_million: BTreeMap<String, f64>,
}

/// A kind of row.
#[derive(Deserialize)]
pub struct RowKind {
    key: Places,
    #[serde(default)]
    gsi1: Vec<String>,
    #[serde(default)]
    gsi2: Vec<String>,
    #[serde(default)]
    gsi3: Vec<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Places {
    One(String),
    Several(Vec<String>),
}

/// What a request or job may ask of AWS.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Budget {
    /// Calls to the table.
    pub calls: f64,
    /// Read units.
    pub rru: f64,
    /// Write units.
    pub wru: f64,
    /// Sends to queues, without those of the relay.
    pub sends: f64,
    /// Messages in outboxes.
    pub messages: f64,
    /// Events in outboxes.
    pub announcements: f64,
    /// Whether the figures are maxima.
    pub at_most: bool,
}

/// The key of a kind of row: capitals are literal, and small letters stand for a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeyPattern<'a> {
    /// The partition key.
    pub partition: &'a str,
    /// The sort key.
    pub sort: &'a str,
}

impl Keys {
    /// Returns all kinds of rows, by name.
    pub fn row_kinds(&self) -> impl Iterator<Item = (&str, &RowKind)> {
        self.areas.values().flat_map(|area| &area.rows).map(|(name, kind)| (name.as_str(), kind))
    }

    /// Returns the budget with this name.
    pub fn budget(&self, name: &str) -> Option<&Budget> {
        self.areas.values().find_map(|area| area.budgets.get(name))
    }

    /// Returns what a million of these cost in dollars.
    pub fn dollars_a_million(&self, name: &str) -> Option<f64> {
        self.areas.values().find_map(|area| area.a_million.get(name).copied())
    }
}

impl RowKind {
    /// Returns the keys of its rows in the table.
    pub fn keys(&self) -> impl Iterator<Item = KeyPattern<'_>> {
        let places = match &self.key {
            Places::One(place) => std::slice::from_ref(place),
            Places::Several(places) => places,
        };
        places.iter().map(|place| KeyPattern::of(place))
    }

    /// Returns the keys of its rows in the three indexes.
    pub fn index_keys(&self) -> [impl Iterator<Item = KeyPattern<'_>>; 3] {
        [&self.gsi1, &self.gsi2, &self.gsi3].map(|places| places.iter().map(|place| KeyPattern::of(place)))
    }
}

impl<'a> KeyPattern<'a> {
    fn of(place: &'a str) -> Self {
        let (partition, sort) = place.split_once(" / ").unwrap_or((place, ""));
        Self { partition, sort }
    }

    /// Returns whether a stored key is of this kind.
    pub fn fits(self, partition: &str, sort: &str) -> bool {
        is_of(partition, self.partition) && is_of(sort, self.sort)
    }

    /// Returns whether a stored partition key is of this kind.
    pub fn fits_partition(self, partition: &str) -> bool {
        is_of(partition, self.partition)
    }

    /// Returns how many characters of the key are literal.
    pub fn literal_chars(self) -> usize {
        literal(self.partition).len() + literal(self.sort).len()
    }
}

fn is_of(stored: &str, pattern: &str) -> bool {
    let literal = literal(pattern);
    if literal == pattern { stored == pattern } else { stored.starts_with(literal) }
}

/// Returns what every key of a pattern begins with.
fn literal(pattern: &str) -> &str {
    pattern.split(|letter: char| letter.is_ascii_lowercase()).next().unwrap_or_default()
}
