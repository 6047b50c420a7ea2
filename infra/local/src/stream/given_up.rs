//! Sends reports to the on-failure destination, about records that an event-source mapping no longer retries.

use std::sync::Arc;

use anyhow::{Context, Result};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Value as Json, json};

use super::record::{Record, sequence_number};
use crate::{
    account::name_in,
    s3::Objects,
    sqs::{self, NewMessage, Queues},
};

/// The only shard of the local stack.
const SHARD: &str = "shardId-00000000000000000000-00000000";

#[derive(Clone)]
pub(crate) enum Destination {
    /// A bucket. Reports are objects that include the records.
    Bucket { name: String, objects: Objects },
    /// A queue, which gets a message for each failed batch. The message does not contain the records.
    Queue { name: String, queues: Queues },
}

/// Why records are no longer retried. The names are from AWS.
#[derive(Clone, Copy, Serialize)]
pub(crate) enum Reason {
    RetryAttemptsExhausted,
    /// The records exceed the mapping's maximum age.
    RecordAgeExceeded,
}

pub(crate) struct GivenUp<'a> {
    pub(crate) mapping: &'a str,
    pub(crate) function: &'a str,
    pub(crate) stream: &'a str,
    pub(crate) records: &'a [Arc<Record>],
    pub(crate) reason: Reason,
    /// Number of times that the function was called with these records.
    pub(crate) calls: u64,
    pub(crate) now: Timestamp,
}

impl Destination {
    pub(super) fn new(arn: &str, objects: &Objects, queues: &Queues) -> Self {
        match arn.strip_prefix("arn:aws:s3:::") {
            Some(name) => Self::Bucket { name: name.to_owned(), objects: objects.clone() },
            None => Self::Queue { name: name_in(arn).to_owned(), queues: queues.clone() },
        }
    }

    /// Sends a report. Returns the name of the queue or the path of the object.
    pub(super) fn report(&self, given_up: &GivenUp<'_>) -> Result<String> {
        let mut text = given_up.describe();
        match self {
            Self::Bucket { name, objects } => {
                let records: Vec<_> = given_up.records.iter().map(|record| &record.json).collect();
                text["payload"] = json!({ "Records": records });
                let path = format!("/{name}/{}", given_up.key());
                objects.store_object(&path, "application/json", text.to_string())?;
                Ok(path)
            }
            Self::Queue { name, queues } => {
                let sent = queues.send(name, NewMessage::new(text.to_string()));
                sent.context("failed to send to the on-failure destination")?;
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
        let sequence = |record: Option<&Arc<Record>>| record.map(|record| sequence_number(record.sequence));
        let arrival = |record: Option<&Arc<Record>>| record.map(|record| seconds(record.created));
        let (first, last) = (self.records.first(), self.records.last());
        json!({
            "requestContext": {
                "requestId": sqs::uuid(),
                "functionArn": self.function,
                "condition": self.reason,
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

fn seconds(time: Timestamp) -> String {
    time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}
