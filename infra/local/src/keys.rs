//! Reads `shared/keys.toml`: row kinds, budgets and costs.

use std::{collections::BTreeMap, sync::LazyLock};

use serde::Deserialize;

const SOURCE: &str = include_str!("../../../shared/keys.toml");

/// The parsed `shared/keys.toml`.
#[expect(clippy::expect_used, reason = "the file is compiled in")]
pub static KEYS: LazyLock<Keys> = LazyLock::new(|| toml::from_str(SOURCE).expect("keys.toml is readable"));

/// Sections of `shared/keys.toml`.
#[derive(Deserialize)]
pub struct Keys {
    #[serde(rename = "intro")]
    _intro: String,
    #[serde(flatten)]
    areas: BTreeMap<String, Area>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Area {
    rows: BTreeMap<String, RowKind>,
    budgets: BTreeMap<String, Budget>,
    a_million: BTreeMap<String, f64>,
    an_hour: BTreeMap<String, Hour>,
}

/// The most dollars that one account can cost in an hour with one kind of request.
#[derive(Deserialize)]
struct Hour {
    dollars: f64,
}

/// A kind of table row.
#[derive(Deserialize)]
pub struct RowKind {
    key: KeyPatterns,
    #[serde(default)]
    gsi1: Vec<String>,
    #[serde(default)]
    gsi2: Vec<String>,
    #[serde(default)]
    gsi3: Vec<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum KeyPatterns {
    One(String),
    Several(Vec<String>),
}

/// The expected AWS usage of a request or job.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Budget {
    /// Number of calls to the table.
    pub calls: f64,
    /// Read units.
    pub rru: f64,
    /// Write units.
    pub wru: f64,
    /// Number of calls that send messages to queues, except by the relay.
    pub sends: f64,
    /// Number of messages in outboxes.
    pub messages: f64,
    /// Number of events in outboxes.
    pub announcements: f64,
    /// Whether the numbers are maximums instead of exact values.
    pub at_most: bool,
}

/// Pattern for the keys of a row kind. Capital letters are literal, and lower-case words are placeholders.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeyPattern<'a> {
    /// Pattern of the partition key.
    pub partition: &'a str,
    /// Pattern of the sort key.
    pub sort: &'a str,
}

impl Keys {
    /// Returns all row kinds with their names.
    pub fn row_kinds(&self) -> impl Iterator<Item = (&str, &RowKind)> {
        self.areas.values().flat_map(|area| &area.rows).map(|(name, kind)| (name.as_str(), kind))
    }

    /// Returns the budget with this name.
    pub fn budget(&self, name: &str) -> Option<&Budget> {
        self.areas.values().find_map(|area| area.budgets.get(name))
    }

    /// Returns the documented price of a million requests or jobs in dollars.
    pub fn dollars_per_million(&self, name: &str) -> Option<f64> {
        self.areas.values().find_map(|area| area.a_million.get(name).copied())
    }

    /// Returns the documented maximum of dollars that one account can cost in an hour with these requests.
    pub fn dollars_an_hour(&self, name: &str) -> Option<f64> {
        self.areas.values().find_map(|area| area.an_hour.get(name).map(|hour| hour.dollars))
    }
}

impl RowKind {
    /// Returns the key patterns of this row kind in the table.
    pub fn keys(&self) -> impl Iterator<Item = KeyPattern<'_>> {
        let patterns = match &self.key {
            KeyPatterns::One(pattern) => std::slice::from_ref(pattern),
            KeyPatterns::Several(patterns) => patterns,
        };
        patterns.iter().map(|pattern| KeyPattern::parse(pattern))
    }

    /// Returns the key patterns of this row kind in each of the three indexes.
    pub fn index_keys(&self) -> [impl Iterator<Item = KeyPattern<'_>>; 3] {
        [&self.gsi1, &self.gsi2, &self.gsi3]
            .map(|patterns| patterns.iter().map(|pattern| KeyPattern::parse(pattern)))
    }
}

impl<'a> KeyPattern<'a> {
    fn parse(pattern: &'a str) -> Self {
        let (partition, sort) = pattern.split_once(" / ").unwrap_or((pattern, ""));
        Self { partition, sort }
    }

    /// Returns whether a stored key matches the pattern.
    pub fn fits(self, partition: &str, sort: &str) -> bool {
        fits_pattern(partition, self.partition) && fits_pattern(sort, self.sort)
    }

    /// Returns whether a stored partition key matches the pattern.
    pub fn fits_partition(self, partition: &str) -> bool {
        fits_pattern(partition, self.partition)
    }

    /// Returns the length of the literal prefixes of both patterns.
    pub fn literal_chars(self) -> usize {
        literal_prefix(self.partition).len() + literal_prefix(self.sort).len()
    }
}

fn fits_pattern(stored: &str, pattern: &str) -> bool {
    let literal_prefix = literal_prefix(pattern);
    if literal_prefix == pattern { stored == pattern } else { stored.starts_with(literal_prefix) }
}

/// Returns the part of a pattern before the first placeholder.
fn literal_prefix(pattern: &str) -> &str {
    pattern.split(|letter: char| letter.is_ascii_lowercase()).next().unwrap_or_default()
}
