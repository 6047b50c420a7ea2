//! The examples of the API reference are recorded. Recorded requests, run in order, get the recorded answers again.

mod computed;
mod replay;
mod run;
mod steps;

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use local::{Options, Stack};
use serde_json::{Value, json};

/// Fields of `GET /health` that depend on the build. They are not compared.
const OF_BUILD: [&str; 2] = ["commit", "version"];
/// Precedes the signature of a presigned URL, which depends on the port. Only the shape of the signature is compared.
const SIGNATURE: &str = "X-Amz-Signature=";

#[tokio::test]
async fn the_examples_run_in_order_get_the_recorded_answers() {
    let (recorded, again) = (recorded(), run::run(&steps(), [0, 0]).await);
    assert_eq!(recorded.len(), again.len(), "the steps have changed: make story");
    for (recorded, mut again) in recorded.iter().zip(again) {
        let mut recorded = recorded.clone();
        hide(&mut recorded);
        hide(&mut again);
        assert!(recorded == again, "make story: {recorded:#}\n{again:#}");
    }
}

#[tokio::test]
async fn the_story_can_be_repeated_from_the_api_document() {
    let document = super::document().await;
    let operations = super::operations(&document);
    let (stack, http) = (Stack::start(Options::story()).await.unwrap(), run::client());
    for item in document["x-story"].as_array().unwrap() {
        let Some((status, mut answer)) = replay::repeat(item, &stack, &http).await else { continue };
        let mut written = replay::written(item, &operations);
        hide(&mut written);
        hide(&mut answer);
        assert_eq!((&status, &answer), (&item["status"], &written), "{item:#}");
    }
}

#[tokio::test]
#[ignore = "writes the examples: make story"]
async fn the_examples_are_recorded() {
    let recorded = Value::Array(run::run(&steps(), run::PORTS).await);
    std::fs::write(folder().join("recorded.json"), format!("{recorded:#}\n")).unwrap();
}

#[tokio::test]
async fn only_writes_move_the_clock_of_the_story() {
    let stack = Stack::start(Options::story()).await.unwrap();
    let begin = stack.clock().now();
    let user = json!({ "username": "ann" });
    let http = reqwest::Client::new();
    assert_eq!(http.get(format!("{}/docs", stack.url())).send().await.unwrap().status(), 200);
    assert_eq!(stack.clock().now(), begin);
    let write = http.post(format!("{}/auth/validate/username", stack.url())).json(&user);
    assert_eq!(write.send().await.unwrap().status(), 200);
    assert_eq!(stack.clock().now().duration_since(begin).as_secs(), 1);
}

#[tokio::test]
async fn the_api_document_shows_the_recorded_answers() {
    let document = super::document().await;
    let operations = super::operations(&document);
    let (steps, items) = (recorded(), document["x-story"].as_array().unwrap());
    assert_eq!(steps.len(), items.len());
    let mut shown = 0;
    for (step, item) in steps.iter().zip(items).filter(|(step, _)| operation_of(step).is_some()) {
        assert_eq!(item["summary"], step["text"]);
        assert_eq!(replay::written(item, &operations), step["answer"], "{item}");
        shown += usize::from(item["answer"].is_null());
    }
    assert!(shown > 200, "{shown}");
}

#[test]
fn recorded_answers_match_their_schemas() {
    for step in recorded() {
        let Some(operation) = operation_of(&step) else { continue };
        let status = step["status"].as_u64().unwrap() as u16;
        let difference = documents::openapi::undescribed(&operation, status, &step["answer"]);
        assert_eq!(difference, None, "{step:#}");
    }
}

#[tokio::test]
async fn the_story_calls_every_operation() {
    let reached: BTreeSet<_> = recorded().iter().filter_map(operation_of).collect();
    for (name, _) in super::operations(&super::document().await) {
        let (method, path) = name.split_once(' ').unwrap();
        let operation = format!("{} {path}", method.to_uppercase());
        assert!(reached.contains(&operation), "{operation}");
    }
}

#[test]
fn the_examples_and_readme_files_have_the_same_password() {
    let steps = recorded();
    let registration = steps.iter().find(|step| step["target"] == "/auth/register").unwrap();
    let password = registration["body"]["password"].as_str().unwrap();
    let clients = ["infra/clients/python/README.md", "infra/clients/typescript/README.md"];
    for file in clients.into_iter().chain(["README.md", "infra/local/src/banner.rs"]) {
        let text = std::fs::read_to_string(folder().join("../../../..").join(file)).unwrap();
        assert!(text.contains(password), "{file}");
    }
}

fn operation_of(step: &Value) -> Option<String> {
    documents::openapi::operation_of(step["method"].as_str()?, step["target"].as_str()?)
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../infra/documents/src/story")
}

fn steps() -> Vec<steps::Step> {
    steps::parse(&std::fs::read_to_string(folder().join("steps.txt")).unwrap())
}

fn recorded() -> Vec<Value> {
    serde_json::from_str(&std::fs::read_to_string(folder().join("recorded.json")).unwrap()).unwrap()
}

/// Removes the values of the fields in [`OF_BUILD`], and replaces signatures by their shapes.
fn hide(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                if OF_BUILD.contains(&name.as_str()) {
                    field.take();
                }
                hide(field);
            }
        }
        Value::Array(items) => items.iter_mut().for_each(hide),
        Value::String(text) => {
            if let Some((before, signature)) = text.split_once(SIGNATURE) {
                *text = format!("{before}{SIGNATURE}{}", shape(signature));
            }
        }
        _ => {}
    }
}

fn shape(text: &str) -> String {
    text.chars().map(|letter| if letter.is_alphanumeric() { 'x' } else { letter }).collect()
}
