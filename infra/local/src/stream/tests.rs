//! Tests recovery from a kill during a write.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
};

use dynoxide::{Database, actions::put_item::PutItemRequest};
use serde_json::json;

use super::*;
use crate::{clock::Start, dynamodb};

const OUTBOX: &str = r#"{"dynamodb":{"NewImage":{"outbox":{"S":[{"exists":true}]}}}}"#;

/// A data directory with one table.
struct DataDirectory(PathBuf);

#[test]
fn an_intent_without_a_write_leaves_no_record() -> Result<()> {
    let directory = DataDirectory::new("intended")?;
    let (_, database) = directory.open()?;
    database.put_item(put("first"))?;
    kill_during_write(&directory, |_, _| {})?;
    let (journal, _) = directory.open()?;
    assert!(records(&journal).is_empty());
    // The intent has been removed, so the next start does not compare the row with it.
    database.put_item(put("written since"))?;
    let (journal, _) = directory.open()?;
    assert!(records(&journal).is_empty());
    Ok(())
}

#[test]
fn an_unrecorded_write_is_recorded_at_the_next_start() -> Result<()> {
    let directory = DataDirectory::new("done")?;
    let (journal, database) = directory.open()?;
    journal.write(&database, put("first"), Database::put_item)?;
    drop((journal, database));
    kill_during_write(&directory, |database, request| drop(database.put_item(request)))?;
    for _ in 0..2 {
        let (journal, _) = directory.open()?;
        let changes: Vec<_> = records(&journal).iter().map(|record| describe(&record.json)).collect();
        assert_eq!(changes, ["INSERT null \"first\"", "MODIFY \"first\" \"second\""]);
    }
    Ok(())
}

#[test]
fn sequence_numbers_continue_after_a_restart() -> Result<()> {
    let directory = DataDirectory::new("numbers")?;
    let mut last = 0;
    for outbox in ["first", "second", "third"] {
        let (journal, database) = directory.open()?;
        journal.write(&database, put(outbox), Database::put_item)?;
        let record = records(&journal).pop().context("no record")?;
        assert!(record.sequence > last);
        last = record.sequence;
        journal.backlog("Relay/Mapping").context("no backlog")?.remove(1);
    }
    Ok(())
}

/// Simulates a kill of the process during a write, after `act`.
fn kill_during_write(directory: &DataDirectory, act: impl FnOnce(&Database, PutItemRequest)) -> Result<()> {
    let (journal, database) = directory.open()?;
    let write = || {
        journal.write(&database, put("second"), |database, request| {
            act(database, request);
            panic!("killed")
        })
    };
    assert!(catch_unwind(AssertUnwindSafe(write)).is_err());
    Ok(())
}

#[test]
fn the_new_image_is_always_the_whole_row() -> Result<()> {
    let directory = DataDirectory::new("answered")?;
    let (journal, database) = directory.open()?;
    for (outbox, return_values) in [("first", "ALL_NEW"), ("second", "UPDATED_OLD"), ("third", "ALL_NEW")] {
        let request = json!({
            "TableName": "table", "Key": { "pk": { "S": "a" } }, "UpdateExpression": "SET outbox = :a, b = :a",
            "ExpressionAttributeValues": { ":a": { "S": outbox } }, "ReturnValues": return_values,
        });
        journal.write(&database, serde_json::from_value(request)?, Database::update_item)?;
        let record = records(&journal).pop().context("no record")?;
        let row = json!({ "pk": { "S": "a" }, "outbox": { "S": outbox }, "b": { "S": outbox } });
        assert_eq!(record.json["dynamodb"]["NewImage"], row);
    }
    Ok(())
}

fn put(outbox: &str) -> PutItemRequest {
    let row = json!({ "pk": { "S": "a" }, "outbox": { "S": outbox } });
    serde_json::from_value(json!({ "TableName": "table", "Item": row })).unwrap_or_default()
}

fn records(journal: &Journal) -> Vec<Arc<record::Record>> {
    journal.backlog("Relay/Mapping").map(|backlog| backlog.all()).unwrap_or_default()
}

fn describe(record: &serde_json::Value) -> String {
    let outbox = |image: &str| record["dynamodb"][image]["outbox"]["S"].to_string();
    format!("{} {} {}", record["eventName"], outbox("OldImage"), outbox("NewImage")).replacen('"', "", 2)
}

impl DataDirectory {
    fn new(name: &str) -> Result<Self> {
        let directory = std::env::temp_dir().join(format!("social-journal-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&directory)?;
        let directory = Self(directory);
        dynamodb::create(&directory.database()?, &table())?;
        Ok(directory)
    }

    /// Opens the journal and the table, like the start of a stack.
    fn open(&self) -> Result<(Journal, Database)> {
        let (disk, database) = (Disk::open(&self.0)?, self.database()?);
        let source: StreamSource = serde_json::from_value(json!({
            "EventSourceArn": "arn:aws:dynamodb:us-east-1:000000000000:table/table/stream/label",
            "StartingPosition": "LATEST",
            "FilterCriteria": { "Filters": [{ "Pattern": OUTBOX }] },
        }))?;
        let (stream, backlog) = open("Relay/Mapping", &source, &[table()], &disk)?;
        let watched = Watched { stream, backlogs: vec![Arc::new(backlog)] };
        let journal = Journal::new(Clock::new(Start::Now, disk.clone())?, disk, vec![watched])?;
        journal.recover(&database)?;
        Ok((journal, database))
    }

    fn database(&self) -> Result<Database> {
        Ok(Database::new(&self.0.join("table.sqlite").to_string_lossy())?)
    }
}

fn table() -> Table {
    dynamodb::test_table(&json!({ "StreamSpecification": { "StreamViewType": "NEW_AND_OLD_IMAGES" } }))
}

impl Drop for DataDirectory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
