//! Writing many rows at once, past the functions, and what they count.

use std::collections::HashMap;

use anyhow::Result;
use dynoxide::{AttributeValue, Database, ImportOptions, Item};
use serde_json::json;

use crate::mold::{Key, STATISTICS, Stamped, key};

/// Rows that are written together.
const TOGETHER: usize = 4_000;

/// Writes stamped rows. Those whose time has passed are left out, as the table would have swept them.
pub(crate) struct Writer<'a> {
    database: &'a Database,
    table: &'a str,
    now_seconds: i64,
    waiting: Vec<Item>,
    raised: HashMap<Key, HashMap<String, i64>>,
    written: usize,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(database: &'a Database, table: &'a str, now_seconds: i64) -> Self {
        Self { database, table, now_seconds, waiting: Vec::new(), raised: HashMap::new(), written: 0 }
    }

    pub(crate) fn write(&mut self, stamped: Stamped) -> Result<()> {
        for (key, counter, by) in stamped.raised {
            *self.raised.entry(key).or_default().entry(counter).or_default() += by;
        }
        let now = self.now_seconds;
        self.waiting.extend(stamped.rows.into_iter().filter(|it| !is_over(it, now)));
        if self.waiting.len() >= TOGETHER { self.flush() } else { Ok(()) }
    }

    /// Writes what waits, and raises what is counted. Returns how many rows were written, those not counted again.
    pub(crate) fn end(mut self) -> Result<usize> {
        self.flush()?;
        let written = self.written;
        for (key, counters) in std::mem::take(&mut self.raised) {
            if let Some(row) = self.raise(&key, &counters)? {
                self.waiting.push(row);
            }
        }
        self.flush()?;
        Ok(written)
    }

    /// The row with its counters, unless it is not there: then it was swept, or never counted anything here.
    fn raise(&self, (pk, sk): &Key, counters: &HashMap<String, i64>) -> Result<Option<Item>> {
        let request = json!({ "TableName": self.table, "Key": { "pk": { "S": pk }, "sk": { "S": sk } } });
        let found = self.database.get_item(serde_json::from_value(request)?)?.item;
        let Some(mut row) = found.or_else(|| new_statistics(pk, sk)) else { return Ok(None) };
        for (counter, by) in counters {
            let before = match row.get(counter) {
                Some(AttributeValue::N(number)) => number.parse()?,
                _ => 0,
            };
            row.insert(counter.clone(), AttributeValue::N((before + by).to_string()));
        }
        Ok(Some(row))
    }

    fn flush(&mut self) -> Result<()> {
        let rows = std::mem::take(&mut self.waiting);
        self.written += rows.len();
        self.database.import_items(self.table, rows, ImportOptions::default())?;
        Ok(())
    }
}

/// The network's counts begin with the first that is counted.
fn new_statistics(pk: &str, sk: &str) -> Option<Item> {
    let text = |it: &str| AttributeValue::S(it.to_owned());
    pk.starts_with(STATISTICS).then(|| Item::from([("pk".into(), text(pk)), ("sk".into(), text(sk))]))
}

fn is_over(row: &Item, now_seconds: i64) -> bool {
    match row.get("ttl") {
        Some(AttributeValue::N(ttl)) => ttl.parse::<i64>().is_ok_and(|ttl| ttl <= now_seconds),
        _ => key(row).0.is_empty(),
    }
}
