//! Replaces examples of operations by recorded requests and answers of a small network. `make story` records them.

mod matched;
mod replay;

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
    /// Token of the user who sends the request, or `None` without sign-in.
    token: Option<String>,
    /// HTTP method.
    pub(crate) method: String,
    /// Path and query, or the whole URL of an upload.
    pub(crate) target: String,
    /// Headers except `authorization`, by name.
    pub(crate) headers: Map<String, Value>,
    /// JSON body, or null.
    pub(crate) body: Value,
    /// Body in base64, if the request needs exactly these bytes.
    bytes: Option<String>,
    /// Status of the answer.
    pub(crate) status: u16,
    /// JSON body of the answer. Null if the request was not for the API.
    pub(crate) answer: Value,
}

/// Returns the recorded steps, in order.
pub(crate) fn steps() -> &'static [Step] {
    &STEPS
}

/// Adds the steps to the operations of an OpenAPI document, and lists them in `x-story`. Other operations keep their
/// examples.
pub(crate) fn add(document: &mut Value) {
    let requests = steps().iter().zip(1..).map(|(step, number)| {
        let name = format!("step{number:03}");
        let found = Match::of(document, &step.method, &step.target);
        let is_shown = found.is_some_and(|found| step.describe(&name, &found, document));
        step.request(&name, is_shown)
    });
    let requests: Vec<_> = requests.collect();
    document["x-story"] = requests.into();
}

/// Lowest status of a failed request. The examples of requests omit failed requests, but the examples of errors show
/// their answers.
const FAILED: u16 = 400;

impl Step {
    /// Returns whether the request has a token.
    pub(crate) fn has_user(&self) -> bool {
        self.token.is_some()
    }

    /// Adds the step to its operation as an example. Returns whether the answer was added.
    fn describe(&self, name: &str, found: &Match, document: &mut Value) -> bool {
        let example = |value: &Value| json!({ "summary": self.text, "value": value });
        let operation = &mut document["paths"][&found.path][self.method.to_lowercase()];
        let answers = &mut operation["responses"][self.status.to_string()];
        let is_new = !answers.to_string().contains(&format!("\"summary\":{}", json!(self.text)));
        let is_shown =
            is_new && answers.get("$ref").is_none() && !self.answer.is_null() && !has_quote(&self.answer);
        if is_shown {
            add_example(&mut answers["content"]["application/json"], name, example(&self.answer));
        }
        if self.status >= FAILED || !is_new {
            return is_shown;
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
        is_shown
    }
}

/// Returns whether a text inside `value` has a quotation mark. The generator of Postman collections would write the
/// example as invalid JSON.
fn has_quote(value: &Value) -> bool {
    value.to_string().contains("\\\"")
}

/// Adds a recorded example to a parameter or a content, and removes the example that is not recorded.
fn add_example(place: &mut Value, name: &str, example: Value) {
    if let Some(place) = place.as_object_mut() {
        place.remove("example");
        place.entry("examples").or_insert(json!({}))[name] = example;
    }
}
