//! A request of the AWS SDK, and the responses that AWS can send.

use std::{io, sync::OnceLock};

use aws_smithy_runtime_api::{
    client::orchestrator::{HttpRequest, HttpResponse},
    http::StatusCode,
};
use aws_smithy_types::{body::SdkBody, byte_stream::ByteStream};
use bytes::Bytes;
use futures::stream;
use http_body::Frame;
use http_body_util::StreamBody;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

const DYNAMODB: &str = "DynamoDB_20120810";

/// Request field that makes DynamoDB return the consumed capacity.
const CONSUMED: &str = "ReturnConsumedCapacity";
const ASK_TOTAL: &[u8] = br#"{"ReturnConsumedCapacity":"TOTAL","#;
/// Start of a serialized outbox, as escaped in a JSON body.
const OUTBOX: &str = r#"{\"id\":"#;

/// A request of the AWS SDK, and the operation. The body is parsed only when needed.
pub(crate) struct Call {
    pub(crate) operation: String,
    request: HttpRequest,
    body: OnceLock<Value>,
}

impl Call {
    pub(crate) fn read(mut request: HttpRequest) -> Self {
        let target = request.headers().get("x-amz-target").unwrap_or_default();
        let (service, operation) = target.split_once('.').unwrap_or_default();
        let (is_table, operation) = (service == DYNAMODB, operation.to_owned());
        let bytes = request.body().bytes().unwrap_or_default();
        if is_table && bytes.len() > 2 && !contains(bytes, CONSUMED) {
            let bytes = [ASK_TOTAL, &bytes[1..]].concat();
            set_body(&mut request, bytes);
        }
        Self { operation, request, body: OnceLock::new() }
    }

    /// Returns the request's body if the request is a write with an outbox. Otherwise returns null.
    pub(crate) fn outbox_body(&self) -> Value {
        let is_write = matches!(self.operation.as_str(), "PutItem" | "UpdateItem" | "TransactWriteItems");
        match is_write && contains(self.bytes(), OUTBOX) {
            true => self.body().clone(),
            false => Value::Null,
        }
    }

    pub(crate) fn into_request(mut self) -> HttpRequest {
        if let Some(body) = self.body.take() {
            set_body(&mut self.request, body.to_string().into_bytes());
        }
        self.request
    }

    fn bytes(&self) -> &[u8] {
        self.request.body().bytes().unwrap_or_default()
    }

    fn body(&self) -> &Value {
        self.body.get_or_init(|| serde_json::from_slice(self.bytes()).unwrap_or_default())
    }

    fn body_mut(&mut self) -> &mut Value {
        self.body();
        self.body.get_mut().expect("the body was parsed")
    }

    /// Returns the error response for a conflict with another writer of the same row.
    pub(crate) fn conflict(&self) -> HttpResponse {
        let Some(steps) = self.body()["TransactItems"].as_array() else {
            return error(400, "TransactionConflictException", json!({}));
        };
        let mut reasons = vec![json!({ "Code": "None" }); steps.len()];
        reasons[0] =
            json!({ "Code": "TransactionConflict", "Message": "Transaction is ongoing for the item" });
        let codes: Vec<_> = reasons.iter().filter_map(|reason| reason["Code"].as_str()).collect();
        let message = format!(
            "Transaction cancelled, please refer cancellation reasons for specific reasons [{}]",
            codes.join(", ")
        );
        let body = json!({ "message": message, "Message": message, "CancellationReasons": reasons });
        error(400, "TransactionCanceledException", body)
    }

    /// Returns the error response for an exceeded limit of the table, queue, bus or account.
    pub(crate) fn throttle(&self) -> HttpResponse {
        let code = match self.operation.as_str() {
            "SendMessage" | "SendMessageBatch" => "RequestThrottled",
            "PutEvents" => "ThrottlingException",
            _ => "ProvisionedThroughputExceededException",
        };
        error(400, code, json!({ "message": "slow down" }))
    }

    /// Returns the error response for a permanent failure.
    pub(crate) fn refusal(&self) -> HttpResponse {
        error(403, "AccessDeniedException", json!({ "message": "not now" }))
    }

    /// Removes the second half of the messages or events from the request. Returns the removed half.
    pub(crate) fn hold_back_entries(&mut self) -> Vec<Value> {
        let entries = self.body_mut()["Entries"].as_array_mut().expect("a batch has entries");
        entries.split_off(entries.len() / 2)
    }

    /// Returns whether the request contains no message or event.
    pub(crate) fn is_empty(&self) -> bool {
        self.entries().next().is_none()
    }

    /// Returns a response that rejects all messages of the batch permanently.
    pub(crate) fn never_taken(&self) -> HttpResponse {
        let failed = self
            .entries()
            .map(|entry| json!({ "Id": entry["Id"], "Code": "InvalidMessageContents", "SenderFault": true }));
        respond(200, &json!({ "Successful": [], "Failed": failed.collect::<Value>() }))
    }

    /// Returns a response that accepts all messages or events of the request.
    pub(crate) fn accepted(&self) -> HttpResponse {
        let sent = self
            .entries()
            .map(|entry| json!({ "Id": entry["Id"], "MessageId": entry["Id"], "MD5OfMessageBody": "" }));
        let sent: Value = sent.collect();
        respond(200, &json!({ "Successful": sent, "Failed": [], "Entries": [], "FailedEntryCount": 0 }))
    }

    fn entries(&self) -> impl Iterator<Item = &Value> {
        self.body()["Entries"].as_array().into_iter().flatten()
    }

    /// Keeps the first `kept(count)` items of each table in a batch. Returns the response field for unprocessed items,
    /// and the removed items.
    pub(crate) fn hold_back(&mut self, kept: fn(usize) -> usize) -> (&'static str, Value) {
        let is_read = self.operation == "BatchGetItem";
        let (field, path) = if is_read { ("UnprocessedKeys", "/Keys") } else { ("UnprocessedItems", "") };
        let mut rest = self.body()["RequestItems"].clone();
        for (table, batch) in self.body_mut()["RequestItems"].as_object_mut().into_iter().flatten() {
            let items = batch.pointer_mut(path).and_then(Value::as_array_mut);
            let items = items.expect("a batch has items");
            // At least one item stays, because the API rejects an empty batch.
            let removed = items.split_off(kept(items.len()));
            let rest = rest[table.as_str()].pointer_mut(path).expect("the same shape");
            *rest = Value::Array(removed);
        }
        if let Some(tables) = rest.as_object_mut() {
            tables.retain(|_, batch| batch.pointer("/Keys").unwrap_or(batch) != &json!([]));
        }
        (field, rest)
    }
}

/// Returns whether the bytes are UTF-8 and contain `part`.
fn contains(bytes: &[u8], part: &str) -> bool {
    std::str::from_utf8(bytes).is_ok_and(|text| text.contains(part))
}

fn set_body(request: &mut HttpRequest, bytes: Vec<u8>) {
    request.headers_mut().insert("content-length", bytes.len().to_string());
    *request.body_mut() = SdkBody::from(bytes);
}

/// The consumed capacity in a response.
#[derive(Default, Deserialize, Serialize)]
#[serde(rename_all = "PascalCase", default)]
struct Consumption {
    consumed_capacity: Value,
    entries: Value,
}

/// Returns the unchanged response, and its consumed capacity.
pub(crate) async fn read_consumption(response: HttpResponse) -> (HttpResponse, Value) {
    let (response, consumption) = read::<Consumption>(response).await;
    (response, serde_json::to_value(consumption).expect("JSON"))
}

/// Returns the unchanged response, and its parsed body.
async fn read<T: DeserializeOwned + Default>(mut response: HttpResponse) -> (HttpResponse, T) {
    let bytes =
        ByteStream::new(response.take_body()).collect().await.expect("the body is in memory").into_bytes();
    let body = serde_json::from_slice(&bytes).unwrap_or_default();
    *response.body_mut() = SdkBody::from(bytes);
    (response, body)
}

/// Returns a response whose connection fails after half of the body.
pub(crate) async fn truncated(response: HttpResponse) -> HttpResponse {
    let (mut response, body) = read::<Value>(response).await;
    let mut half = Bytes::from(body.to_string());
    half.truncate(half.len() / 2);
    let parts = [Ok(Frame::data(half)), Err(io::Error::from(io::ErrorKind::ConnectionReset))];
    *response.body_mut() = SdkBody::from_body_1_x(StreamBody::new(stream::iter(parts)));
    response
}

/// Returns the response with the messages or events in `held` marked as failed.
pub(crate) async fn with_failed(response: HttpResponse, held: &[Value]) -> HttpResponse {
    let (response, mut body) = read::<Value>(response).await;
    let failed =
        held.iter().map(|entry| json!({ "Id": entry["Id"], "Code": "InternalError", "SenderFault": false }));
    let events = held.iter().map(|_| json!({ "ErrorCode": "InternalFailure", "ErrorMessage": "not now" }));
    let entries = body["Entries"].as_array().cloned().unwrap_or_default().into_iter().chain(events);
    body["Entries"] = entries.collect();
    body["Failed"] = failed.collect();
    body["FailedEntryCount"] = held.len().into();
    with_body(response, &body)
}

/// Returns the response with a field added to its body.
pub(crate) async fn with_field(response: HttpResponse, name: &str, value: Value) -> HttpResponse {
    let (response, mut body) = read::<Value>(response).await;
    body[name] = value;
    with_body(response, &body)
}

fn with_body(mut response: HttpResponse, body: &Value) -> HttpResponse {
    let bytes = body.to_string().into_bytes();
    response.headers_mut().insert("content-length", bytes.len().to_string());
    *response.body_mut() = SdkBody::from(bytes);
    response
}

fn error(status: u16, code: &str, mut body: Value) -> HttpResponse {
    body["__type"] = format!("com.amazonaws.dynamodb.v20120810#{code}").into();
    respond(status, &body)
}

fn respond(status: u16, body: &Value) -> HttpResponse {
    let status = StatusCode::try_from(status).expect("a valid status");
    let mut response = HttpResponse::new(status, SdkBody::from(body.to_string()));
    response.headers_mut().insert("content-type", "application/x-amz-json-1.0");
    response
}
