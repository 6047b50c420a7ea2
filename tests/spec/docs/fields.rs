//! Responses never omit nullable fields, so the API document marks these fields as required.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{deep, document, operations, references};

#[tokio::test]
async fn nullable_fields_of_responses_are_required() {
    let document = document().await;
    let in_bodies = in_bodies(&document);
    let mut checked = 0;
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        let answered = !in_bodies.contains(&format!("#/components/schemas/{name}"));
        for part in deep(schema).filter(|part| answered && part["properties"].is_object()) {
            for (field, _) in
                part["properties"].as_object().unwrap().iter().filter(|(_, field)| is_nullable(field))
            {
                let required = part["required"].as_array();
                assert!(required.is_some_and(|names| names.contains(&json!(field))), "{name}.{field}");
                checked += 1;
            }
        }
    }
    assert!(checked > 60, "{checked}");
}

#[tokio::test]
async fn examples_of_responses_match_their_schemas() {
    let document = document().await;
    let mut checked = 0;
    for (name, operation) in operations(&document) {
        let (method, path) = name.split_once(' ').unwrap();
        for (status, response) in operation["responses"].as_object().unwrap() {
            let schema =
                response["content"]["application/json"]["schema"]["$ref"].as_str().unwrap_or_default();
            let example = document.pointer(&format!("{}/example", schema.trim_start_matches('#')));
            let Some(example) = example.filter(|_| status.starts_with('2')) else { continue };
            let operation = format!("{} {path}", method.to_uppercase());
            let difference = documents::openapi::undescribed(&operation, status.parse().unwrap(), example);
            assert_eq!(difference, None, "{operation}: {example}");
            checked += 1;
        }
    }
    assert!(checked > 150, "{checked}");
}

fn is_nullable(field: &Value) -> bool {
    let types = field["type"].as_array();
    types.is_some_and(|types| types.contains(&json!("null")))
        || field["oneOf"].as_array().is_some_and(|choices| choices.contains(&json!({ "type": "null" })))
}

/// Returns the references to schemas in request bodies, and the references in these schemas.
fn in_bodies(document: &Value) -> BTreeSet<String> {
    let mut next: Vec<_> =
        deep(&document["paths"]).flat_map(|value| references(&value["requestBody"])).collect();
    let mut found = BTreeSet::new();
    while let Some(reference) = next.pop() {
        if found.insert(reference.clone()) {
            next.extend(references(document.pointer(reference.trim_start_matches('#')).unwrap()));
        }
    }
    found
}
