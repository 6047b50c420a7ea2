//! The table, in a file or in memory.

use std::{path::Path, sync::Arc};

use anyhow::{Context, Result};
use dynoxide::Database;
use serde_json::json;

use crate::{disk, expiry::Expiry, options::Medium, store::Store, stream::Journal, template::Table};

const FILE: &str = "dynamodb.sqlite";
/// SQLite's name for a file that nobody else finds, and that is gone with the process, whatever ends it. What was committed
/// stays in memory there while there is room: nobody could read the file after a kill.
const PASSING: &str = "";
/// What of a table's properties the request that creates it has too.
const PROPERTIES: [&str; 4] = ["AttributeDefinitions", "BillingMode", "GlobalSecondaryIndexes", "KeySchema"];

/// Opens the store, makes the tables that are not there yet, and notes in the journal what a kill left unsaid.
pub(crate) fn open(tables: &[Table], place: (Option<&Path>, Medium), journal: Arc<Journal>) -> Result<Store> {
    let database = database(tables, place)?;
    journal.recover(&database).context("the journal of the table")?;
    Store::start(database, journal, tables.iter().filter_map(Expiry::of).collect())
}

fn database(tables: &[Table], (data, medium): (Option<&Path>, Medium)) -> Result<Database> {
    let database = match (data, medium) {
        (Some(directory), _) => open_file(directory)?,
        (None, Medium::File) => Database::new(PASSING)?,
        (None, Medium::Memory) => Database::memory()?,
    };
    for table in tables {
        let exists = json!({ "TableName": table.name });
        if database.describe_table(serde_json::from_value(exists)?).is_err() {
            create(&database, table).with_context(|| format!("table {}", table.name))?;
        }
    }
    Ok(database)
}

fn open_file(directory: &Path) -> Result<Database> {
    let file = std::path::absolute(directory.join(FILE))?;
    disk::lay_out(&file)?;
    Ok(Database::new(file.to_str().with_context(|| format!("{} is no UTF-8", file.display()))?)?)
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

#[cfg(test)]
mod tests {
    use super::*;

    /// As many as do not fit into the memory that a file has.
    const ROWS: usize = 3_000;
    const ROW_BYTES: usize = 10_000;

    #[test]
    fn a_table_that_is_kept_nowhere_lies_in_a_file_that_nobody_finds() -> Result<()> {
        let properties = json!({
            "KeySchema": [{ "AttributeName": "pk", "KeyType": "HASH" }],
            "AttributeDefinitions": [{ "AttributeName": "pk", "AttributeType": "S" }],
            "BillingMode": "PAY_PER_REQUEST",
        });
        let table = Table { name: "table".to_owned(), properties: serde_json::from_value(properties)? };
        let database = database(&[table], (None, Medium::File))?;
        assert_eq!(database.db_path()?, None, "a file with a name would outlive a kill");
        for number in 0..ROWS {
            let row = json!({ "pk": { "S": number.to_string() }, "text": { "S": "x".repeat(ROW_BYTES) } });
            database.put_item(serde_json::from_value(json!({ "TableName": "table", "Item": row }))?)?;
        }
        let found =
            database.scan(serde_json::from_value(json!({ "TableName": "table", "Select": "COUNT" }))?)?;
        assert!(found.count > 0 && found.last_evaluated_key.is_some(), "a page of {}", found.count);
        for number in [0, ROWS - 1] {
            let key = json!({ "TableName": "table", "Key": { "pk": { "S": number.to_string() } } });
            assert!(database.get_item(serde_json::from_value(key)?)?.item.is_some(), "{number}");
        }
        Ok(())
    }
}
