//! Where records go that a mapping gives up: an object or a message that says which they were, and why.

use std::sync::Arc;

use anyhow::{Context, Result};
use jiff::Timestamp;
use serde_json::{Value as Json, json};

use super::record::{Record, sequence_number};
use crate::{
    s3::Objects,
    sqs::{self, NewMessage, Queues},
};

/// The local stack has one shard.
const SHARD: &str = "shardId-00000000000000000000-00000000";

/// Takes what is given up.
#[derive(Clone)]
pub(crate) enum Destination {
    /// Objects of a bucket, with the records.
    Bucket { name: String, objects: Objects },
    /// Messages without the records.
    Queue { name: String, queues: Queues },
}

/// Why records are given up.
#[derive(Clone, Copy)]
pub(crate) enum Why {
    /// They were tried as often as the mapping says.
    Tried,
    /// They are older than the mapping says.
    Old,
}

/// Records that are given up together.
pub(crate) struct GivenUp<'a> {
    pub(crate) mapping: &'a str,
    pub(crate) function: &'a str,
    pub(crate) stream: &'a str,
    pub(crate) records: &'a [Arc<Record>],
    pub(crate) why: Why,
    /// How often the function was called with them.
    pub(crate) calls: u64,
    pub(crate) now: Timestamp,
}

impl Destination {
    /// What its ARN names.
    pub(super) fn new(arn: &str, objects: &Objects, queues: &Queues) -> Self {
        match arn.strip_prefix("arn:aws:s3:::") {
            Some(name) => Self::Bucket { name: name.to_owned(), objects: objects.clone() },
            None => {
                let name = arn.rsplit(':').next().unwrap_or_default().to_owned();
                Self::Queue { name, queues: queues.clone() }
            }
        }
    }

    /// Takes records, and returns where they are now.
    pub(super) fn take(&self, given_up: &GivenUp<'_>) -> Result<String> {
        let mut text = given_up.describe();
        match self {
            Self::Bucket { name, objects } => {
                let records: Vec<_> = given_up.records.iter().map(|it| &it.json).collect();
                text["payload"] = json!({ "Records": records });
                let path = format!("/{name}/{}", given_up.key());
                objects.store(&path, "application/json", text.to_string())?;
                Ok(path)
            }
            Self::Queue { name, queues } => {
                let message = NewMessage { body: text.to_string(), ..NewMessage::default() };
                queues.send(name, message).context("the on-failure destination")?;
                Ok(name.clone())
            }
        }
    }
}

impl GivenUp<'_> {
    fn key(&self) -> String {
        let time = self.now.strftime("%Y/%m/%d/%Y-%m-%dT%H.%M.%S");
        format!("aws/lambda/{}/{SHARD}/{time}-{}", self.mapping, sqs::uuid())
    }

    fn describe(&self) -> Json {
        let sequence = |record: Option<&Arc<Record>>| record.map(|it| sequence_number(it.sequence));
        let arrival = |record: Option<&Arc<Record>>| record.map(|it| seconds(it.created));
        let (first, last) = (self.records.first(), self.records.last());
        json!({
            "requestContext": {
                "requestId": sqs::uuid(),
                "functionArn": self.function,
                "condition": self.why.condition(),
                "approximateInvokeCount": self.calls,
            },
            "responseContext": { "statusCode": 200, "executedVersion": "$LATEST", "functionError": null },
            "version": "1.0",
            "timestamp": crate::clock::show(self.now),
            "DDBStreamBatchInfo": {
                "shardId": SHARD,
                "startSequenceNumber": sequence(first),
                "endSequenceNumber": sequence(last),
                "approximateArrivalOfFirstRecord": arrival(first),
                "approximateArrivalOfLastRecord": arrival(last),
                "batchSize": self.records.len(),
                "streamArn": self.stream,
            },
        })
    }
}

impl Why {
    fn condition(self) -> &'static str {
        match self {
            Self::Tried => "RetryAttemptsExhausted",
            Self::Old => "RecordAgeExceeded",
        }
    }
}

fn seconds(time: Timestamp) -> String {
    time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}
