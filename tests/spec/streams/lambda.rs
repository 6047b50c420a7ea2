//! A fake function with the Invoke API of Lambda. A test defines the responses.

use std::sync::{Arc, Mutex};

use axum::{
    Json, Router,
    body::Bytes,
    extract::State,
    response::{IntoResponse, Response},
    routing::post,
};
use serde_json::{Value, json};
use tests::serve;
use tokio::sync::Notify;

/// Response of the function.
pub(super) enum Reply {
    /// All records succeeded.
    Done,
    /// Reports the records with these outbox texts as failed.
    Failed(Vec<String>),
    /// A raw response body.
    Raw(Value),
    /// A function error.
    Error,
}

/// A fake function that records its calls.
#[derive(Clone)]
pub(super) struct Lambda {
    pub(super) url: String,
    inner: Arc<Inner>,
}

type Script = dyn Fn(&[String]) -> Reply + Send + Sync;

struct Inner {
    script: Box<Script>,
    calls: Mutex<Vec<Vec<Value>>>,
    called: Notify,
}

impl Lambda {
    /// Starts a function. `script` computes each response from the outbox texts in the batch.
    pub(super) async fn new(script: impl Fn(&[String]) -> Reply + Send + Sync + 'static) -> Self {
        let (calls, called) = (Mutex::default(), Notify::new());
        let inner = Arc::new(Inner { script: Box::new(script), calls, called });
        let router = Router::new().route("/2015-03-31/functions/scripted/invocations", post(invoke));
        let router = router.with_state(Arc::clone(&inner));
        Self { url: serve(router).await, inner }
    }

    /// Starts a function that always succeeds.
    pub(super) async fn succeeding() -> Self {
        Self::new(|_| Reply::Done).await
    }

    /// Starts a function that fails for records with this outbox text.
    pub(super) async fn failing_at(outbox: &'static str) -> Self {
        Self::new(move |batch| {
            let failed = batch.iter().filter(|text| *text == outbox).cloned().collect();
            Reply::Failed(failed)
        })
        .await
    }

    /// Returns the outbox texts of each call.
    pub(super) fn calls(&self) -> Vec<Vec<String>> {
        let outboxes = |call: Vec<Value>| call.iter().map(outbox).collect();
        self.records().into_iter().map(outboxes).collect()
    }

    /// Returns the records of each call.
    pub(super) fn records(&self) -> Vec<Vec<Value>> {
        self.inner.calls.lock().unwrap().clone()
    }

    /// Waits until the function was called `times` times.
    pub(super) async fn until_called(&self, times: usize) {
        loop {
            let called = self.inner.called.notified();
            if self.inner.calls.lock().unwrap().len() >= times {
                return;
            }
            called.await;
        }
    }
}

async fn invoke(State(inner): State<Arc<Inner>>, event: Bytes) -> Response {
    let event: Value = serde_json::from_slice(&event).unwrap();
    let records = event["Records"].as_array().unwrap().clone();
    let outboxes: Vec<_> = records.iter().map(outbox).collect();
    let answer = match (inner.script)(&outboxes) {
        Reply::Done => Json(json!({ "batchItemFailures": [] })).into_response(),
        Reply::Raw(answer) => Json(answer).into_response(),
        Reply::Error => ([("x-amz-function-error", "Unhandled")], "{}").into_response(),
        Reply::Failed(failed) => {
            let failed = records.iter().filter(|record| failed.contains(&outbox(record)));
            Json(json!({ "batchItemFailures": failed.map(failure).collect::<Vec<_>>() })).into_response()
        }
    };
    inner.calls.lock().unwrap().push(records);
    inner.called.notify_waiters();
    answer
}

fn failure(record: &Value) -> Value {
    json!({ "itemIdentifier": record["dynamodb"]["SequenceNumber"] })
}

fn outbox(record: &Value) -> String {
    record["dynamodb"]["NewImage"]["outbox"]["S"].as_str().unwrap_or_default().to_owned()
}
