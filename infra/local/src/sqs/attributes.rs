//! Attributes and MD5 digests of messages. Clients verify the digests.

use std::collections::BTreeMap;

use base64::{Engine, prelude::BASE64_STANDARD};
use md5::{Digest, Md5};
use serde_json::{Map, Value as Json, json};

use super::message::Message;

const SENDER: &str = "AIDALOCAL";

pub(crate) fn body_md5(body: &str) -> String {
    hex::encode(Md5::digest(body))
}

/// Returns AWS's MD5 digest of message attributes, or `None` without attributes.
pub(crate) fn attributes_md5(attributes: &BTreeMap<String, Json>) -> Option<String> {
    if attributes.is_empty() {
        return None;
    }
    let mut bytes = Vec::new();
    for (name, value) in attributes {
        let field = |key| value.get(key).and_then(Json::as_str);
        push(&mut bytes, name.as_bytes());
        push(&mut bytes, field("DataType").unwrap_or_default().as_bytes());
        if let Some(text) = field("StringValue") {
            bytes.push(1);
            push(&mut bytes, text.as_bytes());
        } else {
            let binary = field("BinaryValue").unwrap_or_default();
            bytes.push(2);
            push(&mut bytes, &BASE64_STANDARD.decode(binary).unwrap_or_default());
        }
    }
    Some(hex::encode(Md5::digest(bytes)))
}

fn push(bytes: &mut Vec<u8>, part: &[u8]) {
    bytes.extend(u32::try_from(part.len()).unwrap_or(u32::MAX).to_be_bytes());
    bytes.extend(part);
}

/// Returns the attributes that SQS itself adds to a message.
pub(crate) fn system(message: &Message) -> BTreeMap<&'static str, String> {
    let first = message.first_received.unwrap_or(message.sent);
    BTreeMap::from([
        ("ApproximateFirstReceiveTimestamp", first.as_millisecond().to_string()),
        ("ApproximateReceiveCount", message.receives.to_string()),
        ("SenderId", SENDER.to_owned()),
        ("SentTimestamp", message.sent.as_millisecond().to_string()),
    ])
}

/// Returns the attributes that `names` selects: `All`, `.*`, `prefix.*` or an exact name.
pub(super) fn select<N: AsRef<str> + Into<String>, V: Into<Json>>(
    attributes: impl IntoIterator<Item = (N, V)>,
    names: &[String],
) -> Map<String, Json> {
    let matches = |name: &str| {
        names.iter().any(|selector| match selector.strip_suffix(".*") {
            Some(prefix) => name.starts_with(prefix),
            None => selector == "All" || selector == name,
        })
    };
    attributes
        .into_iter()
        .filter(|(name, _)| matches(name.as_ref()))
        .map(|(name, value)| (name.into(), value.into()))
        .collect()
}

pub(super) fn send_result(message: &Message) -> Json {
    let mut answer = json!({ "MessageId": message.id, "MD5OfMessageBody": body_md5(&message.body) });
    if let Some(digest) = attributes_md5(&message.attributes) {
        answer["MD5OfMessageAttributes"] = digest.into();
    }
    answer
}

/// Returns message attributes in the format of Lambda events.
pub(crate) fn lambda_attributes(attributes: &BTreeMap<String, Json>) -> Map<String, Json> {
    let field = |value: &Json, key: &str| value.get(key).cloned().unwrap_or_default();
    let lambda = |value: &Json| {
        json!({
            "dataType": field(value, "DataType"),
            "stringValue": field(value, "StringValue"),
            "binaryValue": field(value, "BinaryValue"),
            "stringListValues": [],
            "binaryListValues": [],
        })
    };
    attributes.iter().map(|(name, value)| (name.clone(), lambda(value))).collect()
}
