//! The API document describes the body and the code of every error.

use serde_json::{Value, json};
use tests::World;

use super::{document, operations};

#[tokio::test]
async fn every_error_in_the_api_document_has_a_schema_and_a_code() {
    let document = document().await;
    let codes = codes(&document);
    for (name, operation) in operations(&document) {
        for (status, response) in operation["responses"].as_object().unwrap() {
            if !status.starts_with(['4', '5']) {
                continue;
            }
            let response = resolve(&document, response);
            let content = &response["content"]["application/json"];
            assert_eq!(content["schema"]["$ref"], "#/components/schemas/Failure", "{name} {status}");
            let recorded =
                content["examples"].as_object().and_then(|steps| steps.values().next()?.get("value"));
            let example = recorded.unwrap_or(&content["example"]);
            assert_eq!(example["success"], false, "{name} {status}");
            let header = &response["headers"]["x-error-code"]["$ref"];
            assert_eq!(header, "#/components/headers/x-error-code", "{name} {status}");
            let text = response["description"].as_str().unwrap();
            let code = text.strip_prefix('`').and_then(|text| text.split('`').next()).unwrap_or_default();
            assert!(codes.contains(&code), "{name} {status}: {text}");
        }
    }
}

#[tokio::test]
async fn the_codes_of_errors_are_an_enumeration() {
    let world = World::new().await;
    let document = document().await;
    let schema = &document["components"]["headers"]["x-error-code"]["schema"];
    assert_eq!(*schema, json!({ "$ref": "#/components/schemas/ErrorCode" }));
    let codes = codes(&document);
    assert!(codes.contains(&"SECOND_FACTOR_REQUIRED"), "{codes:?}");
    for answer in [world.anyone.get("/auth/me").await, world.anyone.post("/auth/me", Value::Null).await] {
        assert!(codes.contains(&answer.header("x-error-code").unwrap()), "{answer}");
    }
}

fn codes(document: &Value) -> Vec<&str> {
    let codes = document["components"]["schemas"]["ErrorCode"]["enum"].as_array().into_iter().flatten();
    codes.filter_map(Value::as_str).collect()
}

fn resolve<'v>(document: &'v Value, response: &'v Value) -> &'v Value {
    match response["$ref"].as_str() {
        Some(reference) => document.pointer(reference.trim_start_matches('#')).unwrap(),
        None => response,
    }
}
