//! One request of the SDK, and the answers that AWS could give it.

use aws_smithy_runtime_api::{
    client::orchestrator::{HttpRequest, HttpResponse},
    http::StatusCode,
};
use aws_smithy_types::{body::SdkBody, byte_stream::ByteStream};
use serde_json::{Value, json};

const DYNAMODB: &str = "DynamoDB_20120810";

/// A request: its operation, and its body as JSON.
pub(crate) struct Call {
    pub(crate) operation: String,
    request: HttpRequest,
    body: Value,
}

impl Call {
    pub(crate) fn read(request: HttpRequest) -> Self {
        let target = request.headers().get("x-amz-target").unwrap_or_default();
        let (service, operation) = target.split_once('.').unwrap_or_default();
        let mut body: Value =
            serde_json::from_slice(request.body().bytes().unwrap_or_default()).unwrap_or_default();
        if service == DYNAMODB {
            body["ReturnConsumedCapacity"] = "TOTAL".into();
        }
        Self { operation: operation.to_owned(), body, request }
    }

    pub(crate) fn into_request(mut self) -> HttpRequest {
        if !self.body.is_null() {
            let bytes = self.body.to_string().into_bytes();
            self.request.headers_mut().insert("content-length", bytes.len().to_string());
            *self.request.body_mut() = SdkBody::from(bytes);
        }
        self.request
    }

    /// Somebody else writes the same row at this moment.
    pub(crate) fn conflict(&self) -> HttpResponse {
        let Some(steps) = self.body["TransactItems"].as_array() else {
            return refuse(400, "TransactionConflictException", json!({}));
        };
        let mut reasons = vec![json!({ "Code": "None" }); steps.len()];
        reasons[0] =
            json!({ "Code": "TransactionConflict", "Message": "Transaction is ongoing for the item" });
        let codes: Vec<_> = reasons.iter().filter_map(|it| it["Code"].as_str()).collect();
        let message = format!(
            "Transaction cancelled, please refer cancellation reasons for specific reasons [{}]",
            codes.join(", ")
        );
        let body = json!({ "message": message, "Message": message, "CancellationReasons": reasons });
        refuse(400, "TransactionCanceledException", body)
    }

    /// The table or the account is at its limit.
    pub(crate) fn throttle(&self) -> HttpResponse {
        refuse(400, "ProvisionedThroughputExceededException", json!({ "message": "slow down" }))
    }

    /// The service does not take it, however often it is asked.
    pub(crate) fn refusal(&self) -> HttpResponse {
        refuse(403, "AccessDeniedException", json!({ "message": "not now" }))
    }

    /// Takes all but `kept` items, of so many, out of a batch; the field and the content in which they come back.
    pub(crate) fn hold_back(&mut self, kept: fn(usize) -> usize) -> (&'static str, Value) {
        let field = if self.operation == "BatchGetItem" { "UnprocessedKeys" } else { "UnprocessedItems" };
        let mut rest = self.body["RequestItems"].clone();
        for (table, batch) in self.body["RequestItems"].as_object_mut().into_iter().flatten() {
            let path = if self.operation == "BatchGetItem" { "/Keys" } else { "" };
            let items = batch.pointer_mut(path).and_then(Value::as_array_mut);
            let items = items.expect("a batch has items");
            // Never all of it: the API refuses an empty batch.
            let held = items.split_off(kept(items.len()));
            let place = rest[table.as_str()].pointer_mut(path).expect("the same shape");
            *place = Value::Array(held);
        }
        if let Some(tables) = rest.as_object_mut() {
            tables.retain(|_, batch| batch.pointer("/Keys").unwrap_or(batch) != &json!([]));
        }
        (field, rest)
    }
}

/// The response again, and its body.
pub(crate) async fn read_whole(mut response: HttpResponse) -> (HttpResponse, Value) {
    let bytes = ByteStream::new(response.take_body()).collect().await.expect("a whole answer").into_bytes();
    let body = serde_json::from_slice(&bytes).unwrap_or_default();
    *response.body_mut() = SdkBody::from(bytes);
    (response, body)
}

/// The response with one more field.
pub(crate) async fn with_field(response: HttpResponse, name: &str, value: Value) -> HttpResponse {
    let (mut response, mut body) = read_whole(response).await;
    body[name] = value;
    let bytes = body.to_string().into_bytes();
    response.headers_mut().insert("content-length", bytes.len().to_string());
    *response.body_mut() = SdkBody::from(bytes);
    response
}

fn refuse(status: u16, code: &str, mut body: Value) -> HttpResponse {
    body["__type"] = format!("com.amazonaws.dynamodb.v20120810#{code}").into();
    let status = StatusCode::try_from(status).expect("a status");
    let mut response = HttpResponse::new(status, SdkBody::from(body.to_string()));
    response.headers_mut().insert("content-type", "application/x-amz-json-1.0");
    response
}
