//! The API reference: complete, and readable without a network.

mod deprecations;
mod events;
mod schemas;
mod start;
mod wording;

use serde_json::Value;
use tests::World;

const STATUSES: [&str; 4] = ["live", "stub", "proposed", "extension"];

#[tokio::test]
async fn the_document_describes_every_operation() {
    let document = document().await;
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1"));
    let tags: Vec<_> = document["tags"].as_array().unwrap().iter().map(|it| &it["name"]).collect();
    let operations = operations(&document);
    assert!(operations.len() > 20, "only {} operations", operations.len());
    for (name, operation) in operations {
        let status = operation["x-status"].as_str().unwrap_or_default();
        assert!(STATUSES.contains(&status), "{name} has no x-status");
        assert!(!operation["summary"].as_str().unwrap_or_default().is_empty(), "{name} has no summary");
        assert!(tags.contains(&&operation["tags"][0]), "{name} has no tag that is described");
        assert!(operation["responses"].get("500").is_some(), "{name} never fails");
        let body = operation["requestBody"]["content"].as_object().into_iter().flatten();
        for (kind, content) in body {
            let example = content.get("example").or(content.get("examples"));
            assert!(example.is_some(), "{name} has no example of its {kind}");
        }
    }
}

#[test]
fn the_document_that_is_deployed_is_that_of_the_code() {
    let published = docs_api::PUBLISHED;
    assert!(published.openapi == documents::openapi::published(), "the routes have changed: make openapi");
    assert!(
        published.asyncapi == documents::asyncapi::published(),
        "what is pushed has changed: make openapi"
    );
}

#[tokio::test]
async fn everything_that_the_document_refers_to_is_in_it() {
    let document = document().await;
    let mut references = Vec::new();
    collect(&document, &mut references);
    assert!(references.len() > 100);
    for reference in references {
        let pointer = reference.strip_prefix('#').unwrap_or_else(|| panic!("{reference} is elsewhere"));
        assert!(document.pointer(pointer).is_some(), "{reference} is not there");
    }
}

#[tokio::test]
async fn an_operation_that_needs_a_sign_in_says_what_happens_without() {
    let document = document().await;
    for (name, operation) in operations(&document) {
        let secured = operation["security"].as_array().is_some_and(|it| !it.is_empty());
        let answers = operation["responses"].as_object().unwrap();
        assert!(!secured || answers.contains_key("401"), "{name}");
        assert!(operation["requestBody"].is_null() || answers.contains_key("400"), "{name}");
        assert!(!name.contains('{') || answers.contains_key("404"), "{name}");
    }
}

#[tokio::test]
async fn the_reference_needs_nothing_from_elsewhere() {
    let world = World::new().await;
    let page = world.anyone.get("/docs").await;
    assert_eq!(page.status, 200);
    assert!(page.header("content-type").unwrap().starts_with("text/html"));
    let script = world.anyone.get("/docs/reference.js").await;
    let said = page.text.clone() + &script.text;
    let links = said.split(['"', '\'']).filter(|it| it.starts_with('/') || it.contains("://"));
    let links: Vec<_> = links.filter(|it| it.len() > 2).collect();
    assert!(links.len() >= 3 && links.contains(&"/openapi.json"), "{links:?}");
    for link in links {
        let asset = world.anyone.get(link).await;
        assert_eq!(asset.status, 200, "{}", asset.request);
        assert!(asset.header("cache-control").unwrap().contains("max-age="), "{}", asset.request);
    }
}

#[tokio::test]
async fn the_reference_runs_scripts_of_its_own_only() {
    let world = World::new().await;
    let page = world.anyone.get("/docs").await;
    let policy = page.header("content-security-policy").unwrap();
    for rule in ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"] {
        assert!(policy.split(';').any(|it| it.trim() == rule), "{policy}");
    }
    assert!(!page.text.contains("<script>"), "no script stands in the page");
}

#[tokio::test]
async fn the_front_page_leads_to_the_reference() {
    let world = World::new().await;
    let answer = world.anyone.get("/").await;
    assert_eq!((answer.status, answer.header("location")), (307, Some("/docs")));
}

async fn document() -> Value {
    World::new().await.anyone.get("/openapi.json").await.body
}

fn operations(document: &Value) -> Vec<(String, Value)> {
    let paths = document["paths"].as_object().unwrap();
    let by_path = paths.iter().flat_map(|(path, item)| {
        let methods = item.as_object().unwrap().iter();
        methods.map(move |(method, it)| (format!("{method} {path}"), it.clone()))
    });
    by_path.filter(|(_, it)| it.get("responses").is_some()).collect()
}

fn collect(value: &Value, references: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            references.extend(fields.get("$ref").and_then(Value::as_str).map(str::to_owned));
            fields.values().for_each(|it| collect(it, references));
        }
        Value::Array(items) => items.iter().for_each(|it| collect(it, references)),
        _ => {}
    }
}
