//! What a body may hold: no field that its operation does not know, except where another service sends it.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::Value;
use utoipa::openapi::{
    Paths, RefOr, Schema, Type,
    path::PathItem,
    schema::{AdditionalProperties, SchemaType},
};

use super::payloads::Schemas;

/// Below these, other services say what a body holds.
const OPEN: [&str; 3] = ["/internal/", "/pusher/", "/webhooks/"];

/// Says of each object in a body that it has no other fields, unless it is a map.
pub(super) fn close(paths: &Paths, schemas: &mut Schemas) {
    for name in in_bodies(paths, schemas) {
        if let Some(RefOr::T(Schema::Object(object))) = schemas.get_mut(&name)
            && object.schema_type == SchemaType::Type(Type::Object)
        {
            let closed = || Box::new(AdditionalProperties::FreeForm(false));
            object.additional_properties.get_or_insert_with(closed);
        }
    }
}

/// The names of the schemas of all such bodies, and of what is in those.
fn in_bodies(paths: &Paths, schemas: &Schemas) -> BTreeSet<String> {
    let own = paths.paths.iter().filter(|(path, _)| !OPEN.iter().any(|it| path.starts_with(it)));
    let mut next: Vec<_> = own.flat_map(|(_, item)| names(&bodies(item))).collect();
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
    operations.filter_map(|it| serde_json::to_value(&it.request_body).ok()).collect()
}

/// The names of the schemas that it refers to.
fn names(part: &impl Serialize) -> Vec<String> {
    let text = serde_json::to_string(part).unwrap_or_default();
    let references = text.split("\"#/components/schemas/").skip(1);
    references.filter_map(|it| it.split('"').next().map(str::to_owned)).collect()
}
