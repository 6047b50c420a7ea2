//! What the product wrote for one thing that was done, to be written again with other ids, names and times: a million
//! rows are the product's own, and none is made up here.

mod gaps;

use std::collections::{HashMap, HashSet};

use anyhow::{Context, Result};
use domain::ids::UserId;
use dynoxide::{AttributeValue, Database, Item};
use jiff::Timestamp;
use rand::{RngExt, rngs::StdRng};
use regex::Regex;
use serde_json::json;
use ulid::Ulid;

use self::gaps::{Filled, ID_BYTES, Piece, Shape};

/// Rows that wait for somebody, or count for minutes: nobody would find them later.
const PASSING: [&str; 8] = ["FEED", "IDEM#", "LETTER#", "NEWS", "PENDING#", "RATE#", "TOKEN#", "TREND#"];
/// The network's counts, in shards: any may be the first to count.
pub(crate) const STATISTICS: &str = "STATS#";
/// What of an id says more than that it is another: whether it is that of a user, and a place in a row.
const KEPT_BITS: u128 = 0x7f;
const TOKENS: &str = r"(?<id>\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b)|(?<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)|(?<day>\b\d{4}-\d\d-\d\d\b)";

pub(crate) type Key = (String, String);
pub(crate) type Rows = HashMap<Key, Item>;

/// Rows with gaps in them.
#[derive(Clone)]
pub(crate) struct Mold {
    at: i64,
    ids: Vec<Id>,
    names: Vec<String>,
    created: Vec<Shape>,
    raised: Vec<Raise>,
}

/// What stands in the gaps.
pub(crate) struct Stamp<'a> {
    /// Milliseconds since 1970.
    pub(crate) at: i64,
    /// Whose the ids were, and whose they are.
    pub(crate) ids: &'a [(Ulid, Ulid)],
    pub(crate) names: &'a [(&'a str, &'a str)],
}

/// What one stamp became.
pub(crate) struct Stamped {
    pub(crate) rows: Vec<Item>,
    /// Counters of other rows, and by how much they rise.
    pub(crate) raised: Vec<(Key, String, i64)>,
}

/// An id that stands in the rows.
#[derive(Clone)]
struct Id {
    was: Ulid,
    /// Whether what was done made it.
    is_new: bool,
    /// The user whose public id it is, by position.
    public_of: Option<usize>,
}

/// A counter that rose on a row that was there before.
#[derive(Clone)]
struct Raise {
    key: [Vec<Piece>; 2],
    counter: String,
    by: i64,
}

/// All rows of a small table.
pub(crate) fn rows(database: &Database, table: &str) -> Result<Rows> {
    let (mut rows, mut from) = (Rows::new(), json!(null));
    loop {
        let mut request = json!({ "TableName": table });
        if !from.is_null() {
            request["ExclusiveStartKey"] = from;
        }
        let page = database.scan(serde_json::from_value(request)?)?;
        rows.extend(page.items.unwrap_or_default().into_iter().map(|it| (key(&it), it)));
        match page.last_evaluated_key {
            Some(last) => from = serde_json::to_value(last)?,
            None => return Ok(rows),
        }
    }
}

pub(crate) fn key(row: &Item) -> Key {
    let text = |name: &str| match row.get(name) {
        Some(AttributeValue::S(text)) => text.clone(),
        _ => String::new(),
    };
    (text("pk"), text("sk"))
}

impl Mold {
    /// What differs between a table `before` and `after`, which was written at a time, in milliseconds.
    pub(crate) fn of(before: &Rows, after: &Rows, at: i64, names: &[&str]) -> Result<Self> {
        let known: HashSet<Ulid> = before.values().flat_map(ids_of).collect();
        let names = names.iter().map(|it| (*it).to_owned()).collect();
        let mut mold = Self { at, ids: Vec::new(), names, created: Vec::new(), raised: Vec::new() };
        let mut changed: Vec<_> = after.iter().filter(|(key, row)| before.get(*key) != Some(*row)).collect();
        changed.sort_by(|one, two| one.0.cmp(two.0));
        let tokens = mold.tokens()?;
        for (key, row) in changed.into_iter().filter(|(key, _)| !is_passing(key)) {
            let uncounted = Item::new();
            let old = before.get(key).or_else(|| key.0.starts_with(STATISTICS).then_some(&uncounted));
            match old {
                Some(old) => mold.raise(&tokens, key, old, row)?,
                None => {
                    let shape = mold.shape(&tokens, "", &AttributeValue::M(row.clone()))?;
                    mold.created.push(shape);
                }
            }
        }
        mold.ids.iter_mut().for_each(|it| it.is_new = !known.contains(&it.was));
        mold.pair_public_ids();
        Ok(mold)
    }

    /// Takes away the rows in the partition of an id, and returns a mold of them alone.
    pub(crate) fn split_off(&mut self, partition: &str) -> Self {
        let of = |it: &Self, shape: &Shape| it.was(shape, "pk") == partition;
        let (apart, rest) = self.created.iter().cloned().partition(|it| of(self, it));
        self.created = rest;
        Self { created: apart, raised: Vec::new(), ..self.clone() }
    }

    /// The rows with something else in their gaps, and what they raise.
    pub(crate) fn stamp(&self, stamp: &Stamp<'_>, random: &mut StdRng) -> Result<Stamped> {
        let later = stamp.at - self.at;
        let filled = Filled { ids: self.new_ids(stamp, random)?, names: self.new_names(stamp), later };
        let rows = self.created.iter().filter_map(|it| match it {
            Shape::Map(fields) => Some(filled.row(fields)),
            _ => None,
        });
        let raised = self.raised.iter().map(|it| {
            let [pk, sk] = it.key.each_ref().map(|pieces| filled.text(pieces));
            ((pk, sk), it.counter.clone(), it.by)
        });
        Ok(Stamped { rows: rows.collect(), raised: raised.collect() })
    }

    fn new_ids(&self, stamp: &Stamp<'_>, random: &mut StdRng) -> Result<Vec<Ulid>> {
        let given: HashMap<_, _> = stamp.ids.iter().copied().collect();
        let mut ids: Vec<_> = self
            .ids
            .iter()
            .map(|it| match given.get(&it.was) {
                Some(id) => *id,
                None if it.is_new => other_id(it.was, stamp.at - self.at, random),
                None => it.was,
            })
            .collect();
        for (position, id) in self.ids.iter().enumerate() {
            if let Some(user) = id.public_of {
                ids[position] = public(ids[user])?;
            }
        }
        Ok(ids)
    }

    fn new_names(&self, stamp: &Stamp<'_>) -> Vec<String> {
        let given: HashMap<_, _> = stamp.names.iter().copied().collect();
        self.names
            .iter()
            .map(|it| given.get(it.as_str()).map_or_else(|| it.clone(), |it| (*it).to_owned()))
            .collect()
    }

    fn tokens(&self) -> Result<Regex> {
        let names = self.names.iter().map(|it| regex::escape(it)).collect::<Vec<_>>().join("|");
        let names = if names.is_empty() { "$^".to_owned() } else { names };
        Ok(Regex::new(&format!("{TOKENS}|(?<name>{names})"))?)
    }

    fn shape(&mut self, tokens: &Regex, name: &str, value: &AttributeValue) -> Result<Shape> {
        Ok(match value {
            AttributeValue::N(number) if name == "ttl" => Shape::Expiry(number.parse()?),
            AttributeValue::S(text) => Shape::Text(self.pieces(tokens, text)?),
            AttributeValue::B(bytes) if bytes.len().is_multiple_of(ID_BYTES) => {
                let ids = bytes.as_chunks::<ID_BYTES>().0.iter();
                Shape::Bytes(ids.map(|it| self.id(Ulid::from_bytes(*it))).collect())
            }
            AttributeValue::L(list) => {
                Shape::List(list.iter().map(|it| self.shape(tokens, "", it)).collect::<Result<_>>()?)
            }
            AttributeValue::M(map) => {
                let fields = map.iter().filter(|(name, _)| *name != "outbox");
                let fields = fields.map(|(name, it)| Ok((name.clone(), self.shape(tokens, name, it)?)));
                Shape::Map(fields.collect::<Result<_>>()?)
            }
            same => Shape::Same(same.clone()),
        })
    }

    fn pieces(&mut self, tokens: &Regex, text: &str) -> Result<Vec<Piece>> {
        let (mut pieces, mut end) = (Vec::new(), 0);
        for found in tokens.captures_iter(text) {
            let whole = found.get_match();
            pieces.push(Piece::Same(text[end..whole.start()].to_owned()));
            end = whole.end();
            let is = |name: &str| found.name(name).is_some();
            pieces.push(match whole.as_str() {
                id if is("id") => self.id(Ulid::from_string(id)?),
                time if is("time") => Piece::Time(time.parse::<Timestamp>()?.as_millisecond()),
                day if is("day") => {
                    Piece::Day(format!("{day}T00:00:00Z").parse::<Timestamp>()?.as_millisecond())
                }
                name => Piece::Name(self.names.iter().position(|it| it == name).context("a name")?),
            });
        }
        pieces.push(Piece::Same(text[end..].to_owned()));
        Ok(pieces)
    }

    fn id(&mut self, was: Ulid) -> Piece {
        Piece::Id(self.ids.iter().position(|it| it.was == was).unwrap_or_else(|| {
            self.ids.push(Id { was, is_new: false, public_of: None });
            self.ids.len() - 1
        }))
    }

    fn raise(&mut self, tokens: &Regex, key: &Key, old: &Item, new: &Item) -> Result<()> {
        for (counter, value) in new.iter().filter(|(name, _)| *name != "ttl") {
            let number = |value: Option<&AttributeValue>| match value {
                Some(AttributeValue::N(number)) => number.parse::<i64>().ok(),
                None => Some(0),
                _ => None,
            };
            if let (AttributeValue::N(_), Some(before), Some(now)) =
                (value, number(old.get(counter)), number(Some(value)))
                && before != now
                && !key.1.starts_with("SESSION#")
            {
                let key = [self.pieces(tokens, &key.0)?, self.pieces(tokens, &key.1)?];
                self.raised.push(Raise { key, counter: counter.clone(), by: now - before });
            }
        }
        Ok(())
    }

    fn pair_public_ids(&mut self) {
        for user in 0..self.ids.len() {
            let other = public(self.ids[user].was).ok().filter(|it| *it != self.ids[user].was);
            let found = other.and_then(|other| self.ids.iter().position(|it| it.was == other));
            if let Some(position) = found {
                self.ids[position].public_of = Some(user);
            }
        }
    }

    fn was(&self, shape: &Shape, name: &str) -> String {
        let Shape::Map(fields) = shape else { return String::new() };
        let same =
            Filled { ids: self.ids.iter().map(|it| it.was).collect(), names: self.names.clone(), later: 0 };
        let text = fields.iter().find(|(field, _)| field == name).map(|(_, it)| same.value(it));
        match text {
            Some(AttributeValue::S(text)) => text,
            _ => String::new(),
        }
    }
}

/// Another id of the same kind, whose time is so many milliseconds later.
pub(crate) fn other_id(was: Ulid, later: i64, random: &mut StdRng) -> Ulid {
    let bits = (random.random::<u128>() & !KEPT_BITS) | (was.random() & KEPT_BITS);
    Ulid::from_parts(was.timestamp_ms().saturating_add_signed(later), bits)
}

/// The id of a user, as the table has it.
pub(crate) fn inner(user: Ulid) -> Result<Ulid> {
    Ok(Ulid::from(user.to_string().parse::<UserId>()?))
}

fn public(user: Ulid) -> Result<Ulid> {
    let user: UserId = user.to_string().parse()?;
    Ok(Ulid::from_string(&user.public().to_string())?)
}

fn is_passing((pk, _): &Key) -> bool {
    PASSING.iter().any(|it| pk.starts_with(it))
}

fn ids_of(row: &Item) -> Vec<Ulid> {
    let text = serde_json::to_string(row).unwrap_or_default();
    let ids = text.split(|it: char| !it.is_ascii_alphanumeric()).filter(|it| it.len() == 26);
    ids.filter_map(|it| Ulid::from_string(it).ok()).collect()
}
