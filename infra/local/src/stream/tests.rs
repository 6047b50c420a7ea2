//! A kill in the middle of a write: what the next start makes of it.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
};

use dynoxide::{Database, actions::put_item::PutItemRequest};
use serde_json::json;

use super::*;
use crate::clock::Start;

const OUTBOX: &str = r#"{"dynamodb":{"NewImage":{"outbox":{"S":[{"exists":true}]}}}}"#;

/// A table of its own, and what is kept of it.
struct Place(PathBuf);

#[test]
fn a_write_that_was_only_intended_is_forgotten() -> Result<()> {
    let place = Place::new("intended")?;
    let (_, database) = place.open()?;
    database.put_item(put("first"))?;
    killed(&place, |_, _| {})?;
    let (journal, _) = place.open()?;
    assert!(waiting(&journal).is_empty());
    // The intent is gone: the next start does not compare with it.
    database.put_item(put("written since"))?;
    let (journal, _) = place.open()?;
    assert!(waiting(&journal).is_empty());
    Ok(())
}

#[test]
fn a_write_that_was_done_and_not_recorded_is_recorded() -> Result<()> {
    let place = Place::new("done")?;
    let (journal, database) = place.open()?;
    journal.write(&database, put("first"), Database::put_item)?;
    drop((journal, database));
    killed(&place, |database, request| drop(database.put_item(request)))?;
    for _ in 0..2 {
        let (journal, _) = place.open()?;
        let told: Vec<_> = waiting(&journal).iter().map(|it| shown(&it.json)).collect();
        assert_eq!(told, ["INSERT null \"first\"", "MODIFY \"first\" \"second\""]);
    }
    Ok(())
}

#[test]
fn numbers_go_on_where_they_ended() -> Result<()> {
    let place = Place::new("numbers")?;
    let mut last = 0;
    for outbox in ["first", "second", "third"] {
        let (journal, database) = place.open()?;
        journal.write(&database, put(outbox), Database::put_item)?;
        let record = waiting(&journal).pop().context("no record")?;
        assert!(record.sequence > last);
        last = record.sequence;
        journal.backlog("Relay/Mapping").context("no backlog")?.done(1);
    }
    Ok(())
}

/// The end of the process while it writes.
fn killed(place: &Place, act: impl FnOnce(&Database, PutItemRequest)) -> Result<()> {
    let (journal, database) = place.open()?;
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
fn an_answer_that_has_the_row_is_what_is_noted() -> Result<()> {
    let place = Place::new("answered")?;
    let (journal, database) = place.open()?;
    for (outbox, return_values) in [("first", "ALL_NEW"), ("second", "UPDATED_OLD"), ("third", "ALL_NEW")] {
        let request = json!({
            "TableName": "table", "Key": { "pk": { "S": "a" } }, "UpdateExpression": "SET outbox = :a, b = :a",
            "ExpressionAttributeValues": { ":a": { "S": outbox } }, "ReturnValues": return_values,
        });
        journal.write(&database, serde_json::from_value(request)?, Database::update_item)?;
        let record = waiting(&journal).pop().context("no record")?;
        let row = json!({ "pk": { "S": "a" }, "outbox": { "S": outbox }, "b": { "S": outbox } });
        assert_eq!(record.json["dynamodb"]["NewImage"], row);
    }
    Ok(())
}

fn put(outbox: &str) -> PutItemRequest {
    let row = json!({ "pk": { "S": "a" }, "outbox": { "S": outbox } });
    serde_json::from_value(json!({ "TableName": "table", "Item": row })).unwrap_or_default()
}

fn waiting(journal: &Journal) -> Vec<Arc<record::Record>> {
    journal.backlog("Relay/Mapping").map(|it| it.all()).unwrap_or_default()
}

fn shown(record: &serde_json::Value) -> String {
    let outbox = |image: &str| record["dynamodb"][image]["outbox"]["S"].to_string();
    format!("{} {} {}", record["eventName"], outbox("OldImage"), outbox("NewImage")).replacen('"', "", 2)
}

impl Place {
    fn new(name: &str) -> Result<Self> {
        let directory = std::env::temp_dir().join(format!("social-journal-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&directory)?;
        let place = Self(directory);
        let database = place.database()?;
        let mut table = properties();
        table["TableName"] = json!("table");
        database.create_table(serde_json::from_value(table)?)?;
        Ok(place)
    }

    /// As a start does it.
    fn open(&self) -> Result<(Journal, Database)> {
        let (disk, database) = (Disk::open(&self.0)?, self.database()?);
        let mut properties = properties();
        properties["StreamSpecification"] = json!({ "StreamViewType": "NEW_AND_OLD_IMAGES" });
        let table = Table { name: "table".to_owned(), properties: serde_json::from_value(properties)? };
        let source: StreamSource = serde_json::from_value(json!({
            "EventSourceArn": "arn:aws:dynamodb:us-east-1:000000000000:table/table/stream/label",
            "StartingPosition": "LATEST",
            "FilterCriteria": { "Filters": [{ "Pattern": OUTBOX }] },
        }))?;
        let (stream, backlog) = open("Relay/Mapping", &source, &[table], &disk)?;
        let watched = Watched { stream, backlogs: vec![Arc::new(backlog)] };
        let journal = Journal::new(Clock::new(Start::Now, disk.clone())?, disk, vec![watched])?;
        journal.recover(&database)?;
        Ok((journal, database))
    }

    fn database(&self) -> Result<Database> {
        Ok(Database::new(&self.0.join("table.sqlite").to_string_lossy())?)
    }
}

fn properties() -> serde_json::Value {
    json!({
        "KeySchema": [{ "AttributeName": "pk", "KeyType": "HASH" }],
        "AttributeDefinitions": [{ "AttributeName": "pk", "AttributeType": "S" }],
        "BillingMode": "PAY_PER_REQUEST",
    })
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
