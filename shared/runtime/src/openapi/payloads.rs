//! Describes the payloads of responses. Responses refer to the schema of a payload, and use its description.

use std::collections::BTreeMap;

use utoipa::openapi::{
    Ref, RefOr, Response, Schema,
    path::Operation,
    schema::{Array, ArrayItems, Object},
};

/// The schemas of the components, by name.
pub(super) type Schemas = BTreeMap<String, RefOr<Schema>>;

/// Makes envelopes refer to the schema of their payload, instead of repeating the schema.
pub(super) fn share(schemas: &mut Schemas) {
    for (name, schema) in schemas {
        if let (Some(payload), RefOr::T(Schema::Object(envelope))) = (payload(name), schema) {
            refer(envelope, payload);
        }
    }
}

/// Adds a description to each response that has none.
pub(super) fn describe(operation: &mut Operation, schemas: &Schemas) {
    for (status, response) in &mut operation.responses.responses {
        if let RefOr::T(response) = response
            && response.description.is_empty()
        {
            response.description = format!("{}{}", outcome(status), meaning(response, schemas));
        }
    }
}

/// Names each envelope after its payload. Call it after [`rename_in`].
pub(super) fn rename(schemas: &mut Schemas) {
    *schemas = std::mem::take(schemas).into_iter().map(|(name, schema)| (published(&name), schema)).collect();
}

/// Uses the new names of envelopes in the responses of an operation.
pub(super) fn rename_in(operation: &mut Operation) {
    for response in operation.responses.responses.values_mut() {
        let RefOr::T(response) = response else { continue };
        for content in response.content.values_mut() {
            if let RefOr::T(content) = content
                && let Some(RefOr::Ref(schema)) = &mut content.schema
                && let Some((path, name)) = schema.ref_location.rsplit_once('/')
            {
                schema.ref_location = format!("{path}/{}", published(name));
            }
        }
    }
}

/// Returns the name of an envelope in the document: `PostResponse` for `Envelope_Post`, `PostPage` for
/// `ListEnvelope_Post`, and `PostList` for `Envelope_Vec_Post`. Returns other names unchanged.
fn published(name: &str) -> String {
    let suffixes = [("ListEnvelope_", "Page"), ("Envelope_Vec_", "List"), ("Envelope_", "Response")];
    let payload = |(prefix, suffix)| Some(name.strip_prefix(prefix)?.to_owned() + suffix);
    suffixes.into_iter().find_map(payload).unwrap_or_else(|| name.to_owned())
}

fn refer(envelope: &mut Object, payload: &str) {
    let reference = RefOr::Ref(Ref::from_schema_name(payload));
    match envelope.properties.get_mut("data") {
        Some(RefOr::T(Schema::Array(Array { items: ArrayItems::RefOrSchema(row), description, .. }))) => {
            **row = reference;
            description.get_or_insert_with(|| "The whole list.".to_owned());
        }
        Some(data) => *data = reference,
        None => {}
    }
}

/// Returns the payload's schema name: `Account` for `Envelope_Account`, `ListEnvelope_Account` and
/// `Envelope_Vec_Account`.
fn payload(envelope: &str) -> Option<&str> {
    envelope.rsplit_once('_').map(|(_, payload)| payload)
}

fn outcome(status: &str) -> &'static str {
    match status {
        "201" => "Created. ",
        "202" => "Accepted. A worker completes the request. ",
        _ => "",
    }
}

fn meaning<'a>(response: &Response, schemas: &'a Schemas) -> &'a str {
    let schema = schema(response).unwrap_or_default();
    if schema.starts_with("ListEnvelope_") {
        return "One page of the list.";
    }
    if schema.starts_with("Envelope_Vec_") {
        return "The whole list.";
    }
    schemas.get(payload(schema).unwrap_or(schema)).and_then(description).unwrap_or_default()
}

/// Returns the name of the response body's schema, or `None`.
fn schema(response: &Response) -> Option<&str> {
    let RefOr::T(content) = response.content.values().next()? else { return None };
    let RefOr::Ref(schema) = content.schema.as_ref()? else { return None };
    schema.ref_location.rsplit('/').next()
}

fn description(schema: &RefOr<Schema>) -> Option<&str> {
    let RefOr::T(schema) = schema else { return None };
    match schema {
        Schema::Object(schema) => schema.description.as_deref(),
        Schema::Array(schema) => schema.description.as_deref(),
        Schema::OneOf(schema) => schema.description.as_deref(),
        Schema::AllOf(schema) => schema.description.as_deref(),
        Schema::AnyOf(schema) => schema.description.as_deref(),
        _ => None,
    }
}
