//! The JSON 1.0 protocol of SQS.

use std::{
    collections::{BTreeMap, HashSet},
    time::Duration,
};

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value as Json, json};

use super::{NewMessage, Queues, Received, Refusal, attributes, message::SIZE_MAX_BYTES, queue::Queue};
use crate::{account::arn, template};

const BATCH_MAX: usize = 10;
const DELAY_MAX_SECONDS: u64 = 900;
const VISIBILITY_MAX_SECONDS: u64 = 43_200;
const WAIT_MAX_SECONDS: u64 = 20;

/// Request fields of all operations.
#[derive(Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct Call {
    queue_name: String,
    queue_url: String,
    queue_name_prefix: String,
    attributes: BTreeMap<String, String>,
    attribute_names: Vec<String>,
    message_system_attribute_names: Vec<String>,
    message_attribute_names: Vec<String>,
    max_number_of_messages: Option<usize>,
    wait_time_seconds: Option<u64>,
    entries: Vec<Entry>,
    #[serde(flatten)]
    entry: Entry,
}

/// An entry in a batch, or the fields of a call for one message.
#[derive(Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct Entry {
    id: String,
    message_body: String,
    message_attributes: BTreeMap<String, Json>,
    delay_seconds: Option<u64>,
    receipt_handle: String,
    visibility_timeout: Option<u64>,
}

pub(crate) async fn answer(queues: &Queues, operation: &str, body: &[u8]) -> Result<Json, Refusal> {
    let mut call: Call = serde_json::from_slice(body)?;
    let name = name_in_url(&call.queue_url).to_owned();
    let entries = std::mem::take(&mut call.entries);
    match operation {
        "CreateQueue" => create(queues, &call),
        "GetQueueUrl" => {
            queues.counts(&call.queue_name)?;
            Ok(json!({ "QueueUrl": queues.url(&call.queue_name) }))
        }
        "ListQueues" => Ok(list(queues, &call.queue_name_prefix)),
        "GetQueueAttributes" => queue_attributes(queues, &name, &call.attribute_names),
        "SetQueueAttributes" => set_attributes(queues, &name, &call.attributes),
        "ReceiveMessage" => receive(queues, &name, &call).await,
        _ => queues.with_queue(&name, |queue, now| change(queue, now, operation, call.entry, entries)),
    }
}

fn change(
    queue: &mut Queue,
    now: Timestamp,
    operation: &str,
    entry: Entry,
    entries: Vec<Entry>,
) -> Result<Json, Refusal> {
    match operation {
        "PurgeQueue" => {
            queue.purge();
            Ok(json!({}))
        }
        "SendMessage" => send(queue, now, entry),
        "SendMessageBatch" => {
            let size = |entry: &Entry| entry.message_body.len();
            if entries.iter().map(size).sum::<usize>() > SIZE_MAX_BYTES {
                let message = "Batch requests cannot be longer than 1048576 bytes.";
                return Err(Refusal::new("BatchRequestTooLong", message));
            }
            batch(entries, |entry| send(queue, now, entry))
        }
        "DeleteMessage" => delete(queue, &entry),
        "DeleteMessageBatch" => batch(entries, |entry| delete(queue, &entry)),
        "ChangeMessageVisibility" => change_visibility(queue, now, &entry),
        "ChangeMessageVisibilityBatch" => batch(entries, |entry| change_visibility(queue, now, &entry)),
        _ => Err(Refusal::unsupported(format!("the local stack does not support {operation}"))),
    }
}

/// Returns the name at the end of a queue's URL.
pub(crate) fn name_in_url(url: &str) -> &str {
    url.rsplit('/').next().unwrap_or_default()
}

fn create(queues: &Queues, call: &Call) -> Result<Json, Refusal> {
    let name = call.queue_name.as_str();
    let allowed = |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '_';
    if name.ends_with(".fifo") || call.attributes.contains_key("FifoQueue") {
        return Err(Refusal::unsupported("the local stack supports only standard queues"));
    }
    if name.is_empty() || name.len() > 80 || !name.chars().all(allowed) {
        return Err(Refusal::value("QueueName must have 1 to 80 letters, digits, hyphens or underscores."));
    }
    let settings = template::Queue { name: name.to_owned(), ..template::Queue::default() };
    let url = queues.create(with_attributes(settings, &call.attributes)?);
    Ok(json!({ "QueueUrl": url }))
}

fn set_attributes(queues: &Queues, name: &str, values: &BTreeMap<String, String>) -> Result<Json, Refusal> {
    queues.create(with_attributes(queues.settings(name)?, values)?);
    Ok(json!({}))
}

fn with_attributes(
    mut settings: template::Queue,
    values: &BTreeMap<String, String>,
) -> Result<template::Queue, Refusal> {
    for (name, value) in values {
        let number =
            || value.parse().map_err(|_| Refusal::value(format!("Invalid value for the parameter {name}.")));
        match name.as_str() {
            "VisibilityTimeout" => settings.visibility_timeout = number()?,
            "DelaySeconds" => settings.delay_seconds = number()?,
            "MessageRetentionPeriod" => settings.message_retention_period = number()?,
            "RedrivePolicy" => settings.redrive_policy = Some(serde_json::from_str(value)?),
            _ => {}
        }
    }
    Ok(settings)
}

fn list(queues: &Queues, prefix: &str) -> Json {
    let names = queues.names().into_iter().filter(|name| name.starts_with(prefix));
    json!({ "QueueUrls": names.map(|name| queues.url(&name)).collect::<Vec<_>>() })
}

fn queue_attributes(queues: &Queues, name: &str, names: &[String]) -> Result<Json, Refusal> {
    let (settings, counts) = (queues.settings(name)?, queues.counts(name)?);
    let mut all = BTreeMap::from([
        ("ApproximateNumberOfMessages", counts.visible.to_string()),
        ("ApproximateNumberOfMessagesNotVisible", counts.in_flight.to_string()),
        ("ApproximateNumberOfMessagesDelayed", counts.delayed.to_string()),
        ("DelaySeconds", settings.delay_seconds.to_string()),
        ("MaximumMessageSize", SIZE_MAX_BYTES.to_string()),
        ("MessageRetentionPeriod", settings.message_retention_period.to_string()),
        ("QueueArn", arn("sqs", name)),
        ("ReceiveMessageWaitTimeSeconds", "0".to_owned()),
        ("VisibilityTimeout", settings.visibility_timeout.to_string()),
    ]);
    if let Some(policy) = &settings.redrive_policy {
        all.insert("RedrivePolicy", json!(policy).to_string());
    }
    Ok(json!({ "Attributes": attributes::select(all, names) }))
}

fn send(queue: &mut Queue, now: Timestamp, entry: Entry) -> Result<Json, Refusal> {
    if entry.delay_seconds.is_some_and(|delay| delay > DELAY_MAX_SECONDS) {
        return Err(Refusal::value("DelaySeconds must be between 0 and 900."));
    }
    let message = NewMessage {
        body: entry.message_body,
        attributes: entry.message_attributes,
        delay: entry.delay_seconds.map(Duration::from_secs),
    };
    Ok(attributes::send_result(&queue.send(message, now)?))
}

fn delete(queue: &mut Queue, entry: &Entry) -> Result<Json, Refusal> {
    queue.delete(&entry.receipt_handle).map(|()| json!({}))
}

fn change_visibility(queue: &mut Queue, now: Timestamp, entry: &Entry) -> Result<Json, Refusal> {
    let seconds = entry.visibility_timeout.filter(|seconds| *seconds <= VISIBILITY_MAX_SECONDS);
    let seconds = seconds.ok_or_else(|| Refusal::value("VisibilityTimeout must be between 0 and 43200."))?;
    queue.set_visibility(&entry.receipt_handle, Duration::from_secs(seconds), now)?;
    Ok(json!({}))
}

async fn receive(queues: &Queues, name: &str, call: &Call) -> Result<Json, Refusal> {
    let max = call.max_number_of_messages.unwrap_or(1);
    let wait = call.wait_time_seconds.unwrap_or(0);
    if !(1..=BATCH_MAX).contains(&max) || wait > WAIT_MAX_SECONDS {
        return Err(Refusal::value("MaxNumberOfMessages must be 1 to 10, and WaitTimeSeconds 0 to 20."));
    }
    let visibility = call.entry.visibility_timeout.map(Duration::from_secs);
    let batch = queues.receive_within(name, max, visibility, Duration::from_secs(wait)).await?;
    let messages: Vec<_> = batch.messages.iter().map(|received| received_json(received, call)).collect();
    Ok(if messages.is_empty() { json!({}) } else { json!({ "Messages": messages }) })
}

fn received_json(received: &Received, call: &Call) -> Json {
    let message = &received.message;
    let names = [call.attribute_names.as_slice(), &call.message_system_attribute_names].concat();
    let system = attributes::select(attributes::system(message), &names);
    let own = attributes::select(message.attributes.clone(), &call.message_attribute_names);
    let mut answer = json!({
        "MessageId": message.id,
        "ReceiptHandle": received.receipt,
        "Body": message.body,
        "MD5OfBody": attributes::body_md5(&message.body),
    });
    if !system.is_empty() {
        answer["Attributes"] = system.into();
    }
    if !own.is_empty() {
        let digest = attributes::attributes_md5(&own.clone().into_iter().collect());
        answer["MD5OfMessageAttributes"] = digest.into();
        answer["MessageAttributes"] = own.into();
    }
    answer
}

/// Runs `call` for each entry. A refused entry does not affect other entries.
fn batch(entries: Vec<Entry>, mut call: impl FnMut(Entry) -> Result<Json, Refusal>) -> Result<Json, Refusal> {
    let ids: HashSet<_> = entries.iter().map(|entry| entry.id.as_str()).collect();
    let problem = match entries.len() {
        0 => Some(("EmptyBatchRequest", "There should be at least one entry in the request.")),
        count if count > BATCH_MAX => {
            Some(("TooManyEntriesInBatchRequest", "Maximum number of entries per request are 10."))
        }
        count if count > ids.len() => {
            Some(("BatchEntryIdsNotDistinct", "Two or more batch entries in the request have the same Id."))
        }
        _ => None,
    };
    if let Some((code, message)) = problem {
        return Err(Refusal::new(code, message));
    }
    let (mut successful, mut failed) = (Vec::new(), Vec::new());
    for entry in entries {
        let id = entry.id.clone();
        match call(entry) {
            Ok(mut answer) => {
                answer["Id"] = id.into();
                successful.push(answer);
            }
            Err(refusal) => failed.push(json!({
                "Id": id, "Code": refusal.code, "Message": refusal.message, "SenderFault": true,
            })),
        }
    }
    Ok(json!({ "Successful": successful, "Failed": failed }))
}
