//! Repeats the requests in `x-story` of the API document. Uses only this document.

use base64::{Engine, prelude::BASE64_STANDARD};
use local::Stack;
use reqwest::{Client, RequestBuilder};
use serde_json::{Value, json};

use super::run::{API, FILES, is_local, run_command};

/// Sends the request of an item, or runs its command. Returns the status, and the answer if the request is for the API.
pub(super) async fn repeat(item: &Value, stack: &Stack, http: &Client) -> Option<(Value, Value)> {
    if let Some(command) = item["command"].as_str() {
        run_command(stack, command).await;
        return None;
    }
    let response = request(item, stack, http).send().await.expect("a response");
    let status = json!(response.status().as_u16());
    let text =
        response.text().await.expect("a body").replace(stack.url(), API).replace(stack.aws_url(), FILES);
    let answer = serde_json::from_str(&text).unwrap_or_default();
    let is_written = !is_local(item["target"].as_str().expect("a target"));
    Some((status, if is_written { answer } else { Value::Null }))
}

/// Returns the recorded answer, from an example of an operation or else from the item.
pub(super) fn written(item: &Value, operations: &[(String, Value)]) -> Value {
    let example = format!("/content/application~1json/examples/{}/value", item["example"].as_str().unwrap());
    let status = item["status"].to_string();
    let mut shown = operations.iter().filter_map(|(_, op)| op["responses"][&status].pointer(&example));
    shown.next().unwrap_or(&item["answer"]).clone()
}

fn request(item: &Value, stack: &Stack, http: &Client) -> RequestBuilder {
    let text = |name: &str| item[name].as_str().unwrap_or_else(|| panic!("{name}: {item}"));
    let (target, method) = (text("target"), text("method").parse().expect("a method"));
    let mut request = match target.strip_prefix(FILES) {
        // The URL of an upload is signed for the recorded address.
        Some(path) => http
            .request(method, format!("{}{path}", stack.aws_url()))
            .header("host", FILES.trim_start_matches("http://")),
        None => http.request(method, format!("{}{target}", stack.url())),
    };
    for (name, value) in item["headers"].as_object().expect("headers") {
        request = request.header(name, value.as_str().expect("a text"));
    }
    match (item["bodyBase64"].as_str(), item.get("body")) {
        (Some(bytes), _) => request.body(BASE64_STANDARD.decode(bytes).expect("base64")),
        (None, Some(body)) => request.body(body.to_string()),
        (None, None) => request,
    }
}
