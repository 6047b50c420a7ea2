//! The API reference is complete and works offline.

mod deprecations;
mod errors;
mod events;
mod fields;
mod guides;
pub(crate) mod schemas;
mod start;
mod story;
mod unions;
mod wording;

use std::collections::BTreeSet;

use reqwest::Method;
use serde_json::Value;
use tests::{World, send};

const PAGES: [&str; 3] = ["/docs", "/docs/events", "/docs/guides"];
const STATUSES: [&str; 4] = ["live", "stub", "proposed", "extension"];

#[tokio::test]
async fn the_api_document_is_generated_and_describes_every_operation() {
    let document = document().await;
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1"));
    assert!(document["info"]["x-generated"].as_str().unwrap().contains("make openapi"));
    let tags: Vec<_> = document["tags"].as_array().unwrap().iter().map(|tag| &tag["name"]).collect();
    let operations = operations(&document);
    assert!(operations.len() > 20, "only {} operations", operations.len());
    for (name, operation) in operations {
        let status = operation["x-status"].as_str().unwrap_or_default();
        assert!(STATUSES.contains(&status), "{name} has no x-status");
        assert!(!operation["summary"].as_str().unwrap_or_default().is_empty(), "{name} has no summary");
        assert!(tags.contains(&&operation["tags"][0]), "{name} has no described tag");
        assert!(operation["responses"].get("500").is_some(), "{name} has no response 500");
        let body = operation["requestBody"]["content"].as_object().into_iter().flatten();
        for (kind, content) in body {
            let example = content.get("example").or(content.get("examples"));
            assert!(example.is_some(), "{name} has no example of {kind}");
        }
    }
}

#[test]
fn the_published_api_documents_match_the_code() {
    let published = docs_api::PUBLISHED;
    assert!(published.openapi == documents::openapi::published(), "the routes have changed: make openapi");
    assert!(published.guides == documents::guides::published(), "the guides have changed: make openapi");
    assert!(published.asyncapi == documents::asyncapi::published(), "the events have changed: make openapi");
}

#[tokio::test]
async fn every_operation_lists_its_error_responses() {
    let document = document().await;
    for (name, operation) in operations(&document) {
        let secured = operation["security"].as_array().is_some_and(|schemes| !schemes.is_empty());
        let answers = operation["responses"].as_object().unwrap();
        assert!(!secured || answers.contains_key("401"), "{name}");
        assert!(operation["requestBody"].is_null() || answers.contains_key("400"), "{name}");
        assert!(!name.contains('{') || answers.contains_key("404"), "{name}");
    }
}

#[tokio::test]
async fn the_reference_pages_load_only_files_of_the_service() {
    let world = World::new().await;
    let (mut links, mut waiting) = (BTreeSet::new(), PAGES.map(str::to_owned).to_vec());
    while let Some(path) = waiting.pop() {
        let asset = world.anyone.get(&path).await;
        assert_eq!(asset.status, 200, "{}", asset.request);
        assert!(asset.header("cache-control").unwrap().contains("max-age="), "{}", asset.request);
        // The third-party script contains external URLs. The content security policy prevents loading them.
        if !path.ends_with(".json") && !path.ends_with(".md") && !path.ends_with(".min.js") {
            waiting.extend(addresses(&asset.text).filter(|link| links.insert(link.clone())));
        }
    }
    for link in [
        "/openapi.json",
        "/asyncapi.json",
        "/docs/openapi-explorer.min.js",
        "/docs/samples.js",
        "/docs/guides.md",
    ] {
        assert!(links.contains(link), "{links:?}");
    }
}

#[tokio::test]
async fn the_reference_pages_allow_only_scripts_of_the_service() {
    let world = World::new().await;
    for path in PAGES {
        let page = world.anyone.get(path).await;
        assert!(page.header("content-type").unwrap().starts_with("text/html"));
        let policy = page.header("content-security-policy").unwrap();
        let rules: Vec<_> = policy.split(';').map(str::trim).collect();
        for rule in ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"] {
            assert!(rules.contains(&rule), "{policy}");
        }
        assert!(!page.text.contains("<script>"), "the page has an inline script");
    }
}

#[tokio::test]
async fn the_script_of_the_api_reference_has_at_most_a_megabyte() {
    let world = World::new().await;
    let request = world.anyone.request(Method::GET, "/docs/openapi-explorer.min.js");
    let reader = send(request.header("accept-encoding", "gzip")).await;
    assert_eq!(reader.header("content-encoding"), Some("gzip"));
    assert!(reader.bytes.len() < 1_000_000, "{} bytes", reader.bytes.len());
}

#[tokio::test]
async fn a_client_with_the_current_document_gets_an_empty_response() {
    let world = World::new().await;
    for path in ["/openapi.json", "/asyncapi.json", "/docs/guides.md"] {
        let first = world.anyone.get(path).await;
        let tag = first.header("etag").unwrap();
        let with = async |tag: &str| {
            send(world.anyone.request(Method::GET, path).header("if-none-match", tag)).await
        };
        for known in [tag.to_owned(), format!("\"other\", {tag}"), tag.replace("W/", ""), "*".to_owned()] {
            let again = with(&known).await;
            assert_eq!((again.status, again.text.as_str()), (304, ""), "{path}: {known}");
            assert_eq!(again.header("etag"), Some(tag));
            assert!(again.header("cache-control").unwrap().contains("max-age="));
        }
        assert_eq!(with("\"other\"").await.text, first.text, "{path}");
    }
}

#[tokio::test]
async fn the_root_path_redirects_to_the_api_reference() {
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
        methods.map(move |(method, operation)| (format!("{method} {path}"), operation.clone()))
    });
    by_path.filter(|(_, operation)| operation.get("responses").is_some()).collect()
}

/// Returns a value and all values inside it.
fn deep(value: &Value) -> Box<dyn Iterator<Item = &Value> + '_> {
    let fields = value.as_object().into_iter().flat_map(serde_json::Map::values);
    let below = fields.chain(value.as_array().into_iter().flatten());
    Box::new(std::iter::once(value).chain(below.flat_map(deep)))
}

/// Returns the `$ref` values in a value.
fn references(value: &Value) -> impl Iterator<Item = String> {
    deep(value).filter_map(|part| part["$ref"].as_str()).map(str::to_owned)
}

/// Returns the `$ref` values in a document. Panics if one does not resolve.
fn valid_references(document: &Value) -> Vec<String> {
    let references: Vec<_> = references(document).collect();
    for reference in &references {
        let pointer =
            reference.strip_prefix('#').unwrap_or_else(|| panic!("{reference} is in another document"));
        assert!(document.pointer(pointer).is_some(), "{reference} is missing");
    }
    references
}

/// Checks that `references` contain each component of a kind.
fn assert_all_used(document: &Value, kind: &str, references: &[String]) {
    for name in document["components"][kind].as_object().unwrap().keys() {
        let reference = format!("#/components/{kind}/{name}");
        assert!(references.contains(&reference), "nothing uses {reference}");
    }
}

/// Returns the quoted URLs and paths in a text.
fn addresses(text: &str) -> impl Iterator<Item = String> {
    let parts = text.split(['"', '\'']).filter(|part| part.len() > 2 && !part.contains(char::is_whitespace));
    parts.filter(|part| part.starts_with('/') || part.contains("://")).map(str::to_owned)
}
