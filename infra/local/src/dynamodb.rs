//! Opens the table, in a file or in memory.

use std::{path::Path, sync::Arc};

use anyhow::{Context, Result};
use dynoxide::Database;
use serde_json::json;

use crate::{disk, expiry::Expiry, store::Store, stream::Journal, template::Table};

const FILE: &str = "dynamodb.sqlite";
/// Properties of a table that are passed to `CreateTable`.
const PROPERTIES: [&str; 4] = ["AttributeDefinitions", "BillingMode", "GlobalSecondaryIndexes", "KeySchema"];

/// Opens the store, creates missing tables, and completes writes that a kill interrupted.
pub(crate) fn open(tables: &[Table], data: Option<&Path>, journal: Arc<Journal>) -> Result<Store> {
    let database = database(tables, data)?;
    journal.recover(&database).context("failed to recover the table from the journal")?;
    Store::start(database, journal, tables.iter().filter_map(Expiry::of).collect())
}

fn database(tables: &[Table], data: Option<&Path>) -> Result<Database> {
    let database = data.map_or_else(|| Ok(Database::memory()?), open_file)?;
    for table in tables {
        let request = json!({ "TableName": table.name });
        if database.describe_table(serde_json::from_value(request)?).is_err() {
            create(&database, table).with_context(|| format!("table {}", table.name))?;
        }
    }
    Ok(database)
}

fn open_file(directory: &Path) -> Result<Database> {
    let file = std::path::absolute(directory.join(FILE))?;
    disk::open_sqlite(&file)?;
    Ok(Database::new(file.to_str().with_context(|| format!("{} is not UTF-8", file.display()))?)?)
}

/// Returns a table with the partition key `pk` and the properties in `more`.
#[cfg(test)]
pub(crate) fn test_table(more: &serde_json::Value) -> Table {
    let key = json!({
        "KeySchema": [{ "AttributeName": "pk", "KeyType": "HASH" }],
        "AttributeDefinitions": [{ "AttributeName": "pk", "AttributeType": "S" }],
        "BillingMode": "PAY_PER_REQUEST",
    });
    let properties = [&key, more].into_iter().filter_map(serde_json::Value::as_object).flat_map(Clone::clone);
    Table { name: "table".to_owned(), properties: properties.collect() }
}

pub(crate) fn create(database: &Database, table: &Table) -> Result<()> {
    let mut request = json!({ "TableName": table.name });
    for name in PROPERTIES {
        if let Some(property) = table.properties.get(name) {
            request[name] = property.clone();
        }
    }
    database.create_table(serde_json::from_value(request)?)?;
    if let Some(ttl) = table.properties.get("TimeToLiveSpecification") {
        let request = json!({ "TableName": table.name, "TimeToLiveSpecification": ttl });
        database.update_time_to_live(serde_json::from_value(request)?)?;
    }
    Ok(())
}
