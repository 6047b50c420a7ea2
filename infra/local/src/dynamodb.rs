//! The table, in memory or in a file.

use std::{path::Path, sync::Arc};

use anyhow::{Context, Result};
use dynoxide::{Database, DynoxideError};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::json;

use crate::{clock::Clock, template::Table};

const FILE: &str = "dynamodb.sqlite";
/// What of a table's properties the request that creates it has too.
const PROPERTIES: [&str; 4] = ["AttributeDefinitions", "BillingMode", "GlobalSecondaryIndexes", "KeySchema"];

/// The status and the body that an operation of the functions is answered with; none for another.
pub(crate) fn answer(database: &Database, operation: &str, body: &[u8]) -> Option<(u16, Vec<u8>)> {
    let answer = match operation {
        "BatchGetItem" => run(body, |it| database.batch_get_item(it)),
        "BatchWriteItem" => run(body, |it| database.batch_write_item(it)),
        "DeleteItem" => run(body, |it| database.delete_item(it)),
        "GetItem" => run(body, |it| database.get_item(it)),
        "PutItem" => run(body, |it| database.put_item(it)),
        "Query" => run(body, |it| database.query(it)),
        "TransactGetItems" => run(body, |it| database.transact_get_items(it)),
        "TransactWriteItems" => run(body, |it| database.transact_write_items(it)),
        "UpdateItem" => run(body, |it| database.update_item(it)),
        _ => return None,
    };
    Some(match answer {
        Ok(answer) => (200, answer),
        Err(error) => (error.status_code(), error.to_json().into_bytes()),
    })
}

fn run<Q: DeserializeOwned, A: Serialize>(
    body: &[u8],
    act: impl FnOnce(Q) -> dynoxide::Result<A>,
) -> dynoxide::Result<Vec<u8>> {
    let unreadable = |error: serde_json::Error| DynoxideError::SerializationException(error.to_string());
    let answer = act(serde_json::from_slice(body).map_err(unreadable)?)?;
    serde_json::to_vec(&answer).map_err(unreadable)
}

/// Opens the store and makes the tables that are not there yet.
pub(crate) fn open(tables: &[Table], data: Option<&Path>, clock: &Clock) -> Result<Database> {
    let database = match data {
        None => Database::memory_with_clock(Arc::new(clock.clone()))?,
        Some(directory) => {
            let file = directory.join(FILE);
            Database::new(file.to_str().context("the data directory's name is not UTF-8")?)?
        }
    };
    for table in tables {
        let exists = json!({ "TableName": table.name });
        if database.describe_table(serde_json::from_value(exists)?).is_err() {
            create(&database, table).with_context(|| format!("table {}", table.name))?;
        }
    }
    Ok(database)
}

fn create(database: &Database, table: &Table) -> Result<()> {
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
