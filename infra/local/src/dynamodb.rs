//! The table, in a file or in memory.

use std::{path::Path, sync::Arc};

use anyhow::{Context, Result, anyhow};
use dynoxide::Database;
use reqwest::Url;
use serde_json::json;
use tempfile::TempDir;

use crate::{disk, expiry::Expiry, options::Medium, store::Store, stream::Journal, template::Table};

const FILE: &str = "dynamodb.sqlite";
/// For a file that no other process finds: SQLite then locks it once, and not for each statement.
const ALONE: &str = "vfs=unix-excl";
/// What of a table's properties the request that creates it has too.
const PROPERTIES: [&str; 4] = ["AttributeDefinitions", "BillingMode", "GlobalSecondaryIndexes", "KeySchema"];

/// Opens the store, makes the tables that are not there yet, and notes in the journal what a kill left unsaid.
pub(crate) fn open(tables: &[Table], place: (Option<&Path>, Medium), journal: Arc<Journal>) -> Result<Store> {
    let database = database(tables, place)?;
    journal.recover(&database).context("the journal of the table")?;
    Store::start(database, journal, tables.iter().filter_map(Expiry::of).collect())
}

fn database(tables: &[Table], (data, medium): (Option<&Path>, Medium)) -> Result<Database> {
    let passing = (data.is_none() && medium == Medium::File).then(TempDir::new).transpose()?;
    let database = match (data, &passing) {
        (Some(directory), _) => open_file(directory, None)?,
        (None, Some(directory)) => open_file(directory.path(), Some(ALONE))?,
        (None, None) => Database::memory()?,
    };
    for table in tables {
        let exists = json!({ "TableName": table.name });
        if database.describe_table(serde_json::from_value(exists)?).is_err() {
            create(&database, table).with_context(|| format!("table {}", table.name))?;
        }
    }
    // Open, and without a name, it is there until the process ends, whatever ends it.
    passing.map(TempDir::close).transpose().context("the table's file")?;
    Ok(database)
}

fn open_file(directory: &Path, how: Option<&str>) -> Result<Database> {
    let file = std::path::absolute(directory.join(FILE))?;
    disk::lay_out(&file)?;
    let mut url = Url::from_file_path(&file).map_err(|()| anyhow!("{} has no URL", file.display()))?;
    url.set_query(how);
    Ok(Database::new(url.as_str())?)
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
        let path = database.db_path()?.context("a file")?;
        assert!(!Path::new(&path).exists(), "{path} would outlive a kill");
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
