//! Operation IDs and descriptions of the API document.

use std::collections::HashSet;

use serde_json::Value;

use super::{assert_all_used, deep, document, operations, valid_references};

#[tokio::test]
async fn operation_ids_are_unique_camel_case_phrases() {
    let mut seen = HashSet::new();
    for (name, operation) in operations(&document().await) {
        let id = operation["operationId"].as_str().unwrap().to_owned();
        assert!(id.starts_with(|char: char| char.is_ascii_lowercase()), "{name}: {id}");
        assert!(id.chars().all(|char| char.is_ascii_alphanumeric()), "{name}: {id}");
        assert!(id.contains(|char: char| char.is_ascii_uppercase()), "{name}: {id} is one word");
        assert!(seen.insert(id), "{name} repeats the ID of another operation");
    }
}

#[tokio::test]
async fn every_response_in_the_api_document_has_a_description() {
    let document = document().await;
    let shared = document["components"]["responses"].as_object().unwrap();
    let operations = operations(&document);
    let own = operations.iter().flat_map(|(name, operation)| {
        let responses = operation["responses"].as_object().unwrap();
        responses.iter().map(move |(status, response)| (format!("{name}: {status}"), response))
    });
    for (name, response) in own.chain(shared.iter().map(|(name, response)| (name.clone(), response))) {
        let text = response["description"].as_str().unwrap_or_default().trim();
        assert!(response.get("$ref").is_some() || text.len() > 3, "{name} has no description: {text:?}");
    }
}

#[tokio::test]
async fn every_field_in_the_api_document_has_a_description() {
    let document = document().await;
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let mut undescribed = Vec::new();
    schemas.iter().for_each(|(name, schema)| add_undescribed(name, schema, &mut undescribed));
    assert!(undescribed.is_empty(), "fields without description: {undescribed:#?}");
}

fn add_undescribed(place: &str, schema: &Value, undescribed: &mut Vec<String>) {
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        let place = format!("{place}.{name}");
        if field["description"].as_str().is_none_or(|text| text.len() < 4) && field.get("$ref").is_none() {
            undescribed.push(place.clone());
        }
        add_undescribed(&place, field, undescribed);
    }
    for part in schema["allOf"].as_array().into_iter().flatten() {
        add_undescribed(place, part, undescribed);
    }
}

#[tokio::test]
async fn descriptions_have_no_links_to_the_code() {
    let document = document().await;
    for text in deep(&document).filter_map(|value| value["description"].as_str()) {
        assert!(!text.contains("[`"), "{text}");
    }
}

#[tokio::test]
async fn parameters_of_lists_have_the_same_description_everywhere() {
    let document = document().await;
    for names in [["take", "limit"], ["after", "cursor"]] {
        let is_named =
            |value: &&Value| names.iter().any(|name| value["name"] == *name) && value["in"] == "query";
        let parameters: Vec<_> = deep(&document["paths"]).filter(is_named).collect();
        assert!(parameters.len() > 30, "{names:?}: {}", parameters.len());
        for parameter in &parameters {
            let same = |field: &str| parameter[field] == parameters[0][field];
            assert!(same("description") && same("schema"), "{parameter} is not {}", parameters[0]);
        }
    }
}

#[tokio::test]
async fn every_reference_resolves_and_every_component_is_used() {
    let document = document().await;
    let mut references = valid_references(&document);
    assert!(references.len() > 100, "only {} references", references.len());
    let schemes = operations(&document).into_iter().flat_map(|(_, operation)| security_schemes(&operation));
    references.extend(schemes.map(|scheme| format!("#/components/securitySchemes/{scheme}")));
    for kind in document["components"].as_object().unwrap().keys() {
        assert_all_used(&document, kind, &references);
    }
}

fn security_schemes(operation: &Value) -> Vec<String> {
    let requirements = operation["security"].as_array().into_iter().flatten();
    requirements.flat_map(|requirement| requirement.as_object().unwrap().keys().cloned()).collect()
}
