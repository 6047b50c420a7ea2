//! Checks each SDK request of a function against the function's policy.

use std::sync::Arc;

use aws_config::SdkConfig;
use aws_sdk_dynamodb::config::{Credentials, SharedCredentialsProvider};
use aws_smithy_runtime_api::client::{
    http::{HttpConnector as _, HttpConnectorFuture, SharedHttpConnector},
    orchestrator::{HttpRequest, HttpResponse},
};
use aws_smithy_types::body::SdkBody;
use lambda_http::http::StatusCode;
use serde::{Deserialize, de::IgnoredAny};
use serde_json::json;

use crate::{
    account::{ACCOUNT, REGION},
    iam::Iam,
    layer::{self, Layer},
    s3::SECRET,
};

/// Adds the function's credentials, and an interceptor that checks the function's policy.
pub(crate) fn with_interceptor(config: &SdkConfig, function: &str, iam: &Arc<Iam>) -> SdkConfig {
    let credentials = Credentials::new(function, SECRET, None, None, "local");
    let builder = config.to_builder().credentials_provider(SharedCredentialsProvider::new(credentials));
    match config.http_client() {
        None => builder.build(),
        Some(inner) => {
            let iam_interceptor = IamInterceptor { iam: Arc::clone(iam), function: function.into() };
            builder.http_client(layer::around(inner, iam_interceptor)).build()
        }
    }
}

#[derive(Clone)]
struct IamInterceptor {
    iam: Arc<Iam>,
    function: Arc<str>,
}

impl Layer for IamInterceptor {
    fn call(&self, request: HttpRequest, next: SharedHttpConnector) -> HttpConnectorFuture {
        let refused = required_rights(&request)
            .into_iter()
            .find(|(action, arn)| !self.iam.allows(&self.function, action, arn));
        match refused {
            None => next.call(request),
            Some((action, arn)) => HttpConnectorFuture::ready(Ok(denied(&self.function, &action, &arn))),
        }
    }
}

/// Returns the permissions that a request requires: pairs of an action and a resource's ARN.
fn required_rights(request: &HttpRequest) -> Vec<(String, String)> {
    let target = request.headers().get("x-amz-target").unwrap_or_default();
    let body: RequestBody =
        serde_json::from_slice(request.body().bytes().unwrap_or_default()).unwrap_or_default();
    match target.split_once('.') {
        Some(("AmazonSQS", operation)) => {
            let action = operation.strip_suffix("Batch").unwrap_or(operation);
            let queue = body.queue_url.rsplit('/').next().unwrap_or_default();
            vec![(format!("sqs:{action}"), format!("arn:aws:sqs:{REGION}:{ACCOUNT}:{queue}"))]
        }
        Some(("AWSEvents", operation)) => {
            let arn = |entry: &Entry| {
                format!("arn:aws:events:{REGION}:{ACCOUNT}:event-bus/{}", entry.event_bus_name)
            };
            body.entries.iter().map(|entry| (format!("events:{operation}"), arn(entry))).collect()
        }
        Some((_, operation)) => body.table_rights(operation),
        None => Vec::new(),
    }
}

/// Fields in a request body that name resources.
#[derive(Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct RequestBody {
    queue_url: String,
    entries: Vec<Entry>,
    table_name: String,
    index_name: Option<String>,
    request_items: std::collections::BTreeMap<String, IgnoredAny>,
    transact_items: Vec<std::collections::BTreeMap<String, Step>>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct Entry {
    event_bus_name: String,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct Step {
    table_name: String,
}

impl RequestBody {
    fn table_rights(&self, operation: &str) -> Vec<(String, String)> {
        let right = |action: &str, table: &str| (format!("dynamodb:{action}"), table_arn(table));
        if !self.transact_items.is_empty() {
            // A transaction requires the permissions for its steps.
            let steps = self.transact_items.iter().flatten();
            return steps.map(|(kind, step)| right(action_of(kind), &step.table_name)).collect();
        }
        if !self.request_items.is_empty() {
            return self.request_items.keys().map(|table| right(operation, table)).collect();
        }
        let (action, table) = right(operation, &self.table_name);
        let index = self.index_name.as_ref().map(|index| format!("{table}/index/{index}"));
        vec![(action, index.unwrap_or(table))]
    }
}

fn action_of(step: &str) -> &str {
    match step {
        "ConditionCheck" => "ConditionCheckItem",
        "Delete" => "DeleteItem",
        "Get" => "GetItem",
        "Put" => "PutItem",
        "Update" => "UpdateItem",
        other => other,
    }
}

/// Returns the ARN of a table.
pub(crate) fn table_arn(name: &str) -> String {
    format!("arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/{name}")
}

fn denied(function: &str, action: &str, arn: &str) -> HttpResponse {
    let message = format!("User: {function} is not authorized to perform: {action} on resource: {arn}");
    let body = json!({ "__type": "com.amazon.coral.service#AccessDeniedException", "Message": message });
    let mut response = HttpResponse::new(StatusCode::BAD_REQUEST.into(), SdkBody::from(body.to_string()));
    response.headers_mut().insert("content-type", "application/x-amz-json-1.0");
    response
}
