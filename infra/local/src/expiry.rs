//! Deletes expired rows.
//!
//! The database engine also deletes expired rows, but by real time. This module uses the stack's clock, which can be
//! moved.

use std::collections::HashMap;

use dynoxide::{AttributeValue, Database, DynoxideError, Item, Result, actions::scan::ScanRequest};
use jiff::Timestamp;
use serde_json::{Value as Json, from_value, json};

use crate::template::Table;

const EXPIRED: &str = "#time < :now";

const PAGE_ROWS: usize = 500;

pub(crate) struct Expiry {
    table: String,
    keys: Vec<String>,
    attribute: String,
}

impl Expiry {
    /// Returns the table's expiry, or `None` if its rows have no time to live.
    pub(crate) fn of(table: &Table) -> Option<Self> {
        let ttl = table.properties.get("TimeToLiveSpecification").filter(|ttl| ttl["Enabled"] == true)?;
        let attribute = ttl["AttributeName"].as_str()?.to_owned();
        Some(Self { table: table.name.clone(), keys: table.keys().collect(), attribute })
    }

    /// Deletes rows that expired before `now`. Scans the table in pages.
    pub(crate) fn sweep(&self, database: &Database, now: Timestamp) -> Result<()> {
        let mut from = None;
        loop {
            let mut scan: ScanRequest =
                self.request("FilterExpression", now, ("ExclusiveStartKey", &from))?;
            // Without this limit, the engine would read the rest of the table for each page.
            scan.limit = Some(PAGE_ROWS);
            let page = database.scan(scan)?;
            for row in page.items.iter().flatten() {
                self.delete(database, row, now)?;
            }
            from = page.last_evaluated_key;
            if from.is_none() {
                return Ok(());
            }
        }
    }

    /// Deletes a row, unless the row's time to live was extended after the scan.
    fn delete(&self, database: &Database, row: &Item, now: Timestamp) -> Result<()> {
        let key = self.keys.iter().filter_map(|name| Some((name.clone(), row.get(name)?.clone()))).collect();
        match database.delete_item(self.request("ConditionExpression", now, ("Key", &Some(key)))?) {
            Ok(_) | Err(DynoxideError::ConditionalCheckFailedException(..)) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Builds a request with the condition [`EXPIRED`] in the field `expired`, and `key` in the field `name`.
    fn request<R: serde::de::DeserializeOwned>(
        &self,
        expired: &str,
        now: Timestamp,
        (name, key): (&str, &Option<HashMap<String, AttributeValue>>),
    ) -> Result<R> {
        let mut request = json!({
            "TableName": self.table,
            expired: EXPIRED,
            "ExpressionAttributeNames": { "#time": self.attribute },
            "ExpressionAttributeValues": { ":now": { "N": now.as_second().to_string() } },
        });
        if let Some(key) = key {
            request[name] = Json::from_iter(key.iter().map(|(name, value)| (name.clone(), json!(value))));
        }
        from_value(request).map_err(|error| DynoxideError::SerializationException(error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dynamodb;

    #[test]
    fn a_row_with_an_extended_time_to_live_stays() -> anyhow::Result<()> {
        let database = Database::memory()?;
        let ttl = json!({ "AttributeName": "until", "Enabled": true });
        let table = dynamodb::test_table(&json!({ "TimeToLiveSpecification": ttl }));
        dynamodb::create(&database, &table)?;
        let expiry = Expiry::of(&table).expect("a time to live");
        let put = |pk: &str, until: &str| -> anyhow::Result<Item> {
            let row = json!({ "pk": { "S": pk }, "until": { "N": until } });
            database.put_item(from_value(json!({ "TableName": "table", "Item": row }))?)?;
            Ok(from_value(row)?)
        };
        let rows = || -> anyhow::Result<usize> {
            Ok(database.scan(from_value(json!({ "TableName": "table" }))?)?.count)
        };
        let (now, found) = (Timestamp::from_second(100)?, put("row", "99")?);
        put("row", "100")?;
        expiry.delete(&database, &found, now)?;
        assert_eq!(rows()?, 1);
        for number in 0..2 * PAGE_ROWS + 1 {
            put(&number.to_string(), "99")?;
        }
        put("row", "99")?;
        expiry.sweep(&database, now)?;
        assert_eq!(rows()?, 0);
        Ok(())
    }
}
