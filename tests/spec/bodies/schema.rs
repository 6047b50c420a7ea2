//! Request bodies, built from the schemas of the API reference.

use std::sync::LazyLock;

use serde_json::{Value, json};

use crate::routes::document::Operation;

static DOCUMENT: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../../functions/docs-api/openapi.json")).unwrap());

/// The body of an operation.
pub(super) struct Body {
    schema: &'static Value,
    sample: Value,
}

impl Body {
    /// Returns the body of an operation, or `None` for an operation without a body.
    pub(super) fn of(operation: &Operation) -> Option<Self> {
        let schema = &item(operation)["requestBody"]["content"]["application/json"]["schema"];
        let schema = resolve(schema);
        schema.is_object().then(|| Self { schema, sample: sample(schema) })
    }

    /// Returns invalid copies of the sample body: each has one field with a wrong value or without a value.
    pub(super) fn with_wrong_values(&self) -> Vec<(String, Value)> {
        let mut places = Vec::new();
        collect_pointers(&self.sample, "", &mut places);
        let wrong =
            places.iter().flat_map(|place| wrong_values().into_iter().map(move |value| (place, value)));
        let bodies = wrong.map(|(place, value)| {
            let mut body = self.sample.clone();
            *body.pointer_mut(place).unwrap() = value;
            (place.clone(), body)
        });
        bodies.chain(places.iter().filter_map(|place| Some((place.clone(), self.without(place)?)))).collect()
    }

    /// Returns the sample body without the field at `place`, or `None` if `place` is an array item.
    fn without(&self, place: &str) -> Option<Value> {
        let (parent, name) = place.rsplit_once('/')?;
        let mut body = self.sample.clone();
        body.pointer_mut(parent)?.as_object_mut()?.remove(name)?;
        Some(body)
    }

    /// Returns whether the schema has a field at a path like `media[0].url`.
    pub(super) fn has(&self, path: &str) -> bool {
        let step = |schema: &'static Value, step: &str| {
            let schema = resolve(schema);
            let is_index = step.bytes().all(|byte| byte.is_ascii_digit());
            let below = if is_index { &schema["items"] } else { &schema["properties"][step] };
            if below.is_null() { &schema["additionalProperties"] } else { below }
        };
        resolve(steps(path).iter().fold(self.schema, |schema, name| step(schema, name))).is_object()
    }
}

/// Returns the names of an operation's query parameters.
pub(super) fn parameters(operation: &Operation) -> Vec<&'static str> {
    let parameters = item(operation)["parameters"].as_array().into_iter().flatten();
    let parameters = parameters.map(resolve).filter(|parameter| parameter["in"] == "query");
    parameters.map(|parameter| parameter["name"].as_str().unwrap()).collect()
}

/// Returns the value at a path like `media[0].url`.
pub(super) fn find<'a>(body: &'a Value, path: &str) -> Option<&'a Value> {
    body.pointer(&steps(path).iter().map(|step| format!("/{step}")).collect::<String>())
}

fn steps(path: &str) -> Vec<&str> {
    path.split(['.', '[', ']']).filter(|step| !step.is_empty()).collect()
}

fn item(operation: &Operation) -> &'static Value {
    &DOCUMENT["paths"][operation.path.as_str()][operation.method.as_str().to_lowercase()]
}

/// Follows references, and unwraps nullable schemas.
fn resolve(schema: &'static Value) -> &'static Value {
    if let Some(reference) = schema["$ref"].as_str() {
        return resolve(DOCUMENT.pointer(reference.trim_start_matches('#')).unwrap());
    }
    match schema["oneOf"].as_array() {
        Some(all) => resolve(all.iter().find(|one| one["type"] != "null").unwrap()),
        None => schema,
    }
}

/// Returns a valid value for the schema, with all fields.
fn sample(schema: &'static Value) -> Value {
    let schema = resolve(schema);
    if let Some(fields) = schema["properties"].as_object() {
        return fields.iter().map(|(name, field)| (name.clone(), sample(field))).collect();
    }
    if let Some(name) = schema["propertyNames"]["enum"].get(0).and_then(Value::as_str) {
        return json!({ name: sample(&schema["additionalProperties"]) });
    }
    match schema["example"].clone() {
        Value::Null if schema["type"] == "array" => json!([sample(&schema["items"])]),
        Value::Null => schema["enum"].get(0).cloned().unwrap_or(json!("text")),
        // The options of a poll must differ.
        example if example == json!(["Tea", "Tea"]) => json!(["Tea", "Coffee"]),
        example => example,
    }
}

/// Adds the JSON pointers of all values inside `value` to `places`.
fn collect_pointers(value: &Value, at: &str, places: &mut Vec<String>) {
    let below: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields.iter().map(|(name, value)| (format!("{at}/{name}"), value)).collect(),
        Value::Array(items) => {
            items.iter().enumerate().map(|(n, value)| (format!("{at}/{n}"), value)).collect()
        }
        _ => Vec::new(),
    };
    for (place, value) in below {
        collect_pointers(value, &place, places);
        places.push(place);
    }
}

fn wrong_values() -> Vec<Value> {
    let long = "x".repeat(6000);
    let numbers = json!([-1, 1.5, 300, i64::MAX, u64::MAX, 1e300]);
    let others = json!(["text", "", long, true, null, [], {}, { "a": { "b": [1] } }, [[null, {}]]]);
    [numbers, others].iter().filter_map(Value::as_array).flatten().cloned().collect()
}
