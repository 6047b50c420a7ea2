//! Builds the guides. Their requests and answers are recorded steps of the story.

use std::sync::LazyLock;

use serde_json::{Value, json};

use crate::story::{Step, steps};

const GUIDES: [&str; 8] = [
    include_str!("1-sign-in.md"),
    include_str!("2-photo.md"),
    include_str!("3-pages.md"),
    include_str!("4-realtime.md"),
    include_str!("5-errors.md"),
    include_str!("6-offline.md"),
    include_str!("7-webhooks.md"),
    include_str!("8-bots.md"),
];
/// Longer texts, such as tokens, are cut.
const TEXT_MAX_CHARS: usize = 60;

static TEXT: LazyLock<String> =
    LazyLock::new(|| GUIDES.join("\n").lines().map(|line| with_step(line) + "\n").collect());

/// Returns all guides as Markdown, which the function `docs-api` serves.
pub fn published() -> &'static str {
    &TEXT
}

/// Returns the guides without their requests.
pub fn sources() -> [&'static str; 8] {
    GUIDES
}

/// Replaces the line `{{TEXT}}` by the step with this text. `{{TEXT | FIELD}}` shows only this field of the answer.
fn with_step(line: &str) -> String {
    let Some(inside) = line.strip_prefix("{{").and_then(|line| line.strip_suffix("}}")) else {
        return line.to_owned();
    };
    let (text, field) = inside.split_once(" | ").unwrap_or((inside, ""));
    match steps().iter().find(|step| step.text == text) {
        Some(step) => format!("```http\n{}\n```\n\n```http\n{}\n```", request(step), answer(step, field)),
        None => line.to_owned(),
    }
}

fn request(step: &Step) -> String {
    let mut lines = vec![format!("{} {}", step.method, shortened(&step.target))];
    if step.has_user() {
        lines.push("authorization: Bearer ACCESS_TOKEN".to_owned());
    }
    let headers = step.headers.iter().filter_map(|(name, value)| Some((name, value.as_str()?)));
    lines.extend(headers.map(|(name, value)| format!("{name}: {}", shortened(value))));
    match &step.body {
        Value::Null => {}
        Value::String(_) => lines.push("\n(the bytes of the file)".to_owned()),
        body => lines.push(format!("content-type: application/json\n\n{:#}", cut(body))),
    }
    lines.join("\n")
}

fn answer(step: &Step, field: &str) -> String {
    let answer = match field {
        "" => step.answer.clone(),
        field => only(&step.answer, field),
    };
    if answer.is_null() { step.status.to_string() } else { format!("{}\n\n{:#}", step.status, cut(&answer)) }
}

/// Returns `value` with only one field. Dots separate the names of nested fields.
fn only(value: &Value, field: &str) -> Value {
    let (name, inside) = field.split_once('.').unwrap_or((field, ""));
    let part = if inside.is_empty() { value[name].clone() } else { only(&value[name], inside) };
    json!({ name: part })
}

fn cut(value: &Value) -> Value {
    match value {
        Value::String(text) => json!(shortened(text)),
        Value::Array(items) => items.iter().map(cut).collect(),
        Value::Object(fields) => {
            Value::Object(fields.iter().map(|(name, field)| (name.clone(), cut(field))).collect())
        }
        other => other.clone(),
    }
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= TEXT_MAX_CHARS {
        return text.to_owned();
    }
    text.chars().take(TEXT_MAX_CHARS).collect::<String>() + "…"
}
