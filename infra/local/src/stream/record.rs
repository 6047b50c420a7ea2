//! Stream records in the format of Lambda events.

use anyhow::{Context, Result};
use dynoxide::{Item, types::item_size};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use crate::{account::REGION, sqs::uuid, template::Table};

pub(crate) struct Stream {
    pub(crate) arn: String,
    pub(crate) table: String,
    /// Key attributes, partition key first.
    keys: Vec<String>,
    view: View,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum View {
    KeysOnly,
    NewImage,
    OldImage,
    NewAndOldImages,
}

/// A row before a write. `old` is `None` if the row did not exist.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct OldRow {
    pub(crate) table: String,
    pub(crate) key: Item,
    pub(crate) old: Option<Item>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Record {
    pub(crate) sequence: u64,
    pub(crate) created: Timestamp,
    /// Partition key as JSON. Records with the same key are delivered in order.
    pub(crate) partition: String,
    pub(crate) json: Json,
}

impl Stream {
    /// Reads the stream's properties from the template's table.
    /// Fails if the table has no stream.
    pub(crate) fn new(arn: &str, table: &Table) -> Result<Self> {
        let property =
            |path: &str| table.properties.get(path).with_context(|| format!("the table has no {path}"));
        let view = property("StreamSpecification")?
            .get("StreamViewType")
            .context("the table's stream has no StreamViewType")?;
        Ok(Self {
            arn: arn.to_owned(),
            table: table.name.clone(),
            keys: table.keys().collect(),
            view: serde_json::from_value(view.clone()).context("the stream's StreamViewType is unknown")?,
        })
    }

    pub(crate) fn key(&self, row: &Item) -> Option<Item> {
        self.keys.iter().map(|name| Some((name.clone(), row.get(name)?.clone()))).collect()
    }

    /// Builds the record of a change from `before` to `new`. `new` is `None` if the row was deleted.
    pub(crate) fn record(
        &self,
        sequence: u64,
        created: Timestamp,
        before: &OldRow,
        new: Option<&Item>,
    ) -> Record {
        let partition = self.keys.first().and_then(|name| before.key.get(name));
        Record {
            sequence,
            created,
            partition: json!(partition).to_string(),
            json: json!({
                "eventID": uuid().replace('-', ""),
                "eventName": event_name(before.old.as_ref(), new),
                "eventVersion": "1.1",
                "eventSource": "aws:dynamodb",
                "awsRegion": REGION,
                "dynamodb": self.change(sequence, created, before, new),
                "eventSourceARN": self.arn,
            }),
        }
    }

    fn change(&self, sequence: u64, created: Timestamp, before: &OldRow, new: Option<&Item>) -> Json {
        let images = match self.view {
            View::KeysOnly => [None, None],
            View::NewImage => [None, new],
            View::OldImage => [before.old.as_ref(), None],
            View::NewAndOldImages => [before.old.as_ref(), new],
        };
        let bytes: usize = images.into_iter().flatten().chain([&before.key]).map(item_size).sum();
        let mut change = json!({
            "ApproximateCreationDateTime": created.as_second(),
            "Keys": before.key,
            "SequenceNumber": sequence_number(sequence),
            "SizeBytes": bytes,
            "StreamViewType": self.view,
        });
        for (name, image) in ["OldImage", "NewImage"].into_iter().zip(images) {
            if let Some(image) = image {
                change[name] = json!(image);
            }
        }
        change
    }
}

impl Record {
    /// Returns the size that counts toward the limit on an event.
    pub(crate) fn bytes(&self) -> usize {
        self.json["dynamodb"]["SizeBytes"].as_u64().and_then(|bytes| bytes.try_into().ok()).unwrap_or(0)
    }
}

fn event_name(old: Option<&Item>, new: Option<&Item>) -> &'static str {
    match (old, new) {
        (None, _) => "INSERT",
        (Some(_), Some(_)) => "MODIFY",
        (Some(_), None) => "REMOVE",
    }
}

/// Formats a sequence number with leading zeros. The texts sort like the numbers.
pub(crate) fn sequence_number(sequence: u64) -> String {
    format!("1{sequence:020}")
}
