//! Replaces examples of operations by recorded requests and answers of a small network. `make story` records them.

mod matched;

use std::sync::LazyLock;

use serde::Deserialize;
use serde_json::{Map, Value, json};

pub(crate) use matched::Match;

/// The recorded steps, in order. A request depends on earlier steps, for example because it contains the ID of a post.
static STEPS: LazyLock<Vec<Step>> =
    LazyLock::new(|| serde_json::from_str(include_str!("recorded.json")).unwrap_or_default());

/// A request and its answer.
#[derive(Deserialize)]
pub(crate) struct Step {
    /// What the user does, as a sentence.
    pub(crate) text: String,
    /// Name of the user who sends the request, or `None` without sign-in.
    user: Option<String>,
    /// HTTP method.
    pub(crate) method: String,
    /// Path and query, or the whole URL of an upload.
    pub(crate) target: String,
    /// Headers except `authorization`, by name.
    pub(crate) headers: Map<String, Value>,
    /// JSON body, or null.
    pub(crate) body: Value,
    /// Status of the answer.
    pub(crate) status: u16,
    /// JSON body of the answer. Null if the request was not for the API.
    pub(crate) answer: Value,
}

/// Returns the recorded steps, in order.
pub(crate) fn steps() -> &'static [Step] {
    &STEPS
}

/// Adds the steps to the operations of an OpenAPI document. Other operations keep their examples.
pub(crate) fn add(document: &mut Value) {
    for (number, step) in (1..).zip(steps()) {
        if let Some(found) = Match::of(document, &step.method, &step.target) {
            step.describe(&format!("step{number:03}"), &found, document);
        }
    }
}

/// Requests that fail are no examples of requests, but their answers are examples of errors.
const FAILED: u16 = 400;

impl Step {
    /// Returns whether the request has a token.
    pub(crate) fn has_user(&self) -> bool {
        self.user.is_some()
    }

    fn describe(&self, name: &str, found: &Match, document: &mut Value) {
        let example = |value: &Value| json!({ "summary": self.text, "value": value });
        let operation = &mut document["paths"][&found.path][self.method.to_lowercase()];
        let answers = &mut operation["responses"][self.status.to_string()];
        if answers.get("$ref").is_none() && !has_quote(&self.answer) {
            add_example(&mut answers["content"]["application/json"], name, example(&self.answer));
        }
        if self.status >= FAILED {
            return;
        }
        if !self.body.is_null() {
            add_example(
                &mut operation["requestBody"]["content"]["application/json"],
                name,
                example(&self.body),
            );
        }
        let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
        for parameter in parameters.into_iter().flatten() {
            if let Some(value) = found.parameter(parameter, &self.headers) {
                add_example(parameter, name, example(&value));
            }
        }
    }
}

/// Returns whether a text inside `value` has a quotation mark. The generator of Postman collections would write the
/// example as invalid JSON.
fn has_quote(value: &Value) -> bool {
    value.to_string().contains("\\\"")
}

/// Adds an example to a parameter or content, in place of the example that is not recorded.
fn add_example(place: &mut Value, name: &str, example: Value) {
    if let Some(place) = place.as_object_mut() {
        place.remove("example");
        place.entry("examples").or_insert(json!({}))[name] = example;
    }
}
