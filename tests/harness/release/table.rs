//! Reads and writes table items as DynamoDB JSON, without code of the service under test.

use std::collections::HashMap;

use aws_sdk_dynamodb::{
    Client,
    primitives::Blob,
    types::{AttributeValue, PutRequest, WriteRequest},
};
use base64::{Engine, prelude::BASE64_STANDARD};
use futures::{StreamExt, stream};
use serde_json::{Value, json};

const BATCH_MAX: usize = 25;
const BATCHES_AT_ONCE: usize = 8;

type Item = HashMap<String, AttributeValue>;

/// Returns every item, sorted by key.
pub(super) async fn scan(dynamodb: &Client, table: &str) -> Vec<Value> {
    let mut rows = dynamodb.scan().table_name(table).into_paginator().items().send();
    let mut items = Vec::new();
    while let Some(row) = rows.next().await {
        items.push(object(&row.expect("an item")));
    }
    items.sort_by_cached_key(|row| ["pk", "sk"].map(|key| row[key]["S"].as_str().map(str::to_owned)));
    items
}

/// Writes items to an empty table.
pub(super) async fn fill(dynamodb: &Client, table: &str, items: &[Value]) {
    let batches = items.chunks(BATCH_MAX).map(|batch| batch.iter().map(put).collect::<Vec<_>>());
    let write = |batch| dynamodb.batch_write_item().request_items(table, batch).send();
    let mut written = stream::iter(batches).map(write).buffer_unordered(BATCHES_AT_ONCE);
    while let Some(answer) = written.next().await {
        let left = answer.expect("the items are written").unprocessed_items.unwrap_or_default();
        assert!(left.is_empty(), "{left:?}");
    }
}

fn put(item: &Value) -> WriteRequest {
    let request = PutRequest::builder().set_item(Some(fields(item))).build();
    WriteRequest::builder().put_request(request.expect("an item")).build()
}

fn object(item: &Item) -> Value {
    item.iter().map(|(name, value)| (name.clone(), json_of(value))).collect()
}

fn json_of(value: &AttributeValue) -> Value {
    match value {
        AttributeValue::S(text) => json!({ "S": text }),
        AttributeValue::N(number) => json!({ "N": number }),
        AttributeValue::Bool(flag) => json!({ "BOOL": flag }),
        AttributeValue::Null(flag) => json!({ "NULL": flag }),
        AttributeValue::B(bytes) => json!({ "B": BASE64_STANDARD.encode(bytes) }),
        AttributeValue::L(list) => json!({ "L": list.iter().map(json_of).collect::<Vec<_>>() }),
        AttributeValue::M(map) => json!({ "M": object(map) }),
        other => panic!("unsupported attribute type: {other:?}"),
    }
}

fn fields(item: &Value) -> Item {
    let fields = item.as_object().expect("an object");
    fields.iter().map(|(name, value)| (name.clone(), value_of(value))).collect()
}

fn value_of(json: &Value) -> AttributeValue {
    let (kind, value) = json.as_object().and_then(|value| value.iter().next()).expect("a kind and a value");
    let text = || value.as_str().expect("a text").to_owned();
    let flag = || value.as_bool().expect("a flag");
    match kind.as_str() {
        "S" => AttributeValue::S(text()),
        "N" => AttributeValue::N(text()),
        "BOOL" => AttributeValue::Bool(flag()),
        "NULL" => AttributeValue::Null(flag()),
        "B" => AttributeValue::B(Blob::new(BASE64_STANDARD.decode(text()).expect("base64"))),
        "L" => AttributeValue::L(value.as_array().expect("a list").iter().map(value_of).collect()),
        "M" => AttributeValue::M(fields(value)),
        other => panic!("unsupported attribute type: {other}"),
    }
}
