//! Makes the schemas of request bodies reject unknown fields, except in bodies that other services define.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::Value;
use utoipa::openapi::{
    Paths, RefOr, Schema, Type,
    path::PathItem,
    schema::{AdditionalProperties, SchemaType},
};

use super::payloads::Schemas;

/// Path prefixes of operations whose bodies other services define.
const OPEN_PREFIXES: [&str; 3] = ["/internal/", "/pusher/", "/webhooks/"];

/// Schemas of passkey credentials, which browsers create. The service ignores unknown fields in them.
const OPEN_SCHEMAS: [&str; 4] =
    ["AttestationResponse", "NewPasskey", "PasskeyAssertion", "PasskeyAssertionResponse"];

/// Disallows additional properties for each object in a request body, unless the object is a map.
pub(super) fn close(paths: &Paths, schemas: &mut Schemas) {
    let is_own = |path: &str| !OPEN_PREFIXES.iter().any(|prefix| path.starts_with(prefix));
    let names = names_in(paths, schemas, is_own);
    for name in names.into_iter().filter(|name| !OPEN_SCHEMAS.contains(&name.as_str())) {
        if let Some(RefOr::T(Schema::Object(object))) = schemas.get_mut(&name)
            && object.schema_type == SchemaType::Type(Type::Object)
        {
            let closed = || Box::new(AdditionalProperties::FreeForm(false));
            object.additional_properties.get_or_insert_with(closed);
        }
    }
}

/// Returns the names of the schemas that the request bodies of these paths use, directly or nested.
pub(super) fn names_in(
    paths: &Paths,
    schemas: &Schemas,
    is_included: impl Fn(&str) -> bool,
) -> BTreeSet<String> {
    let included = paths.paths.iter().filter(|(path, _)| is_included(path));
    let mut next: Vec<_> = included.flat_map(|(_, item)| names(&bodies(item))).collect();
    let mut found = BTreeSet::new();
    while let Some(name) = next.pop() {
        let inside = schemas.get(&name).map(names).unwrap_or_default();
        if found.insert(name) {
            next.extend(inside);
        }
    }
    found
}

fn bodies(item: &PathItem) -> Vec<Value> {
    let operations = [&item.post, &item.put, &item.patch, &item.delete].into_iter().flatten();
    operations.filter_map(|operation| serde_json::to_value(&operation.request_body).ok()).collect()
}

/// Returns the names of the schemas that `part` refers to.
fn names(part: &impl Serialize) -> Vec<String> {
    let text = serde_json::to_string(part).unwrap_or_default();
    let references = text.split("\"#/components/schemas/").skip(1);
    references.filter_map(|reference| reference.split('"').next().map(str::to_owned)).collect()
}
