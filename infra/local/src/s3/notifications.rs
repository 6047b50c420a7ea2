//! Notifications from a bucket to queues, in the format of S3.

use jiff::Timestamp;
use serde_json::json;

use crate::{
    account::REGION,
    sqs::{NewMessage, Queues},
    template::Bucket,
};

const CREATED: &str = "ObjectCreated:Put";

pub(super) struct Put<'a> {
    pub(super) path: &'a str,
    pub(super) size: usize,
    pub(super) at: Timestamp,
}

/// Notifies the queues that the bucket's notification configuration selects.
pub(super) fn send(queues: &Queues, bucket: &Bucket, put: &Put<'_>) {
    let key = put.path.trim_start_matches('/').split_once('/').map_or("", |(_, key)| key);
    for queue in bucket.queues_for(CREATED, key) {
        if let Err(refusal) = queues.send(queue, NewMessage::new(body(bucket, key, put))) {
            tracing::error!(%refusal, queue, "failed to notify a queue of an S3 object");
        }
    }
}

fn body(bucket: &Bucket, key: &str, put: &Put<'_>) -> String {
    let record = json!({
        "eventVersion": "2.1",
        "eventSource": "aws:s3",
        "awsRegion": REGION,
        "eventTime": crate::clock::show(put.at),
        "eventName": CREATED,
        "s3": {
            "s3SchemaVersion": "1.0",
            "bucket": { "name": bucket.name, "arn": format!("arn:aws:s3:::{}", bucket.name) },
            "object": { "key": key, "size": put.size },
        },
    });
    json!({ "Records": [record] }).to_string()
}
