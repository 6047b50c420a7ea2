//! The names and the words of the document: what generated clients and their readers see.

use std::collections::HashSet;

use serde_json::Value;

use super::{collect, document, operations};

#[tokio::test]
async fn operation_ids_are_unique() {
    let mut seen = HashSet::new();
    for (name, id) in operation_ids().await {
        assert!(seen.insert(id.clone()), "{name} is not the only {id}");
    }
}

#[tokio::test]
async fn operation_ids_are_a_verb_and_a_noun() {
    for (name, id) in operation_ids().await {
        assert!(id.starts_with(|it: char| it.is_ascii_lowercase()), "{name}: {id}");
        assert!(id.chars().all(|it| it.is_ascii_alphanumeric()), "{name}: {id}");
        assert!(id.contains(|it: char| it.is_ascii_uppercase()), "{name}: {id} is one word");
    }
}

#[tokio::test]
async fn every_response_says_what_it_is() {
    let document = document().await;
    let shared = document["components"]["responses"].as_object().unwrap();
    let operations = operations(&document);
    let own = operations.iter().flat_map(|(name, operation)| {
        let responses = operation["responses"].as_object().unwrap();
        responses.iter().map(move |(status, it)| (format!("{name}: {status}"), it))
    });
    for (name, response) in own.chain(shared.iter().map(|(name, it)| (name.clone(), it))) {
        let text = response["description"].as_str().unwrap_or_default().trim();
        assert!(response.get("$ref").is_some() || text.len() > 3, "{name} says nothing: {text:?}");
    }
}

#[tokio::test]
async fn every_field_says_what_it_is() {
    let document = document().await;
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let mut silent = Vec::new();
    schemas.iter().for_each(|(name, it)| name_silent_fields(name, it, &mut silent));
    assert!(silent.is_empty(), "nothing says what these are: {silent:#?}");
}

fn name_silent_fields(place: &str, schema: &Value, silent: &mut Vec<String>) {
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        let place = format!("{place}.{name}");
        if field["description"].as_str().is_none_or(|it| it.len() < 4) && field.get("$ref").is_none() {
            silent.push(place.clone());
        }
        name_silent_fields(&place, field, silent);
    }
    for part in schema["allOf"].as_array().into_iter().flatten() {
        name_silent_fields(place, part, silent);
    }
}

#[tokio::test]
async fn every_component_is_used() {
    let document = document().await;
    let mut references = Vec::new();
    collect(&document, &mut references);
    let ways = operations(&document).into_iter().flat_map(|(_, it)| ways_in(&it));
    references.extend(ways.map(|way| format!("#/components/securitySchemes/{way}")));
    for (kind, components) in document["components"].as_object().unwrap() {
        for name in components.as_object().unwrap().keys() {
            let reference = format!("#/components/{kind}/{name}");
            assert!(references.contains(&reference), "nothing uses {reference}");
        }
    }
}

#[tokio::test]
async fn the_document_says_that_it_is_generated() {
    assert!(document().await["info"]["x-generated"].as_str().unwrap().contains("make openapi"));
}

async fn operation_ids() -> Vec<(String, String)> {
    let document = document().await;
    let id = |it: &Value| it["operationId"].as_str().unwrap().to_owned();
    operations(&document).into_iter().map(|(name, it)| (name, id(&it))).collect()
}

fn ways_in(operation: &Value) -> Vec<String> {
    let ways = operation["security"].as_array().into_iter().flatten();
    ways.flat_map(|it| it.as_object().unwrap().keys().cloned()).collect()
}
