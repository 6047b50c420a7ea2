//! Marks the nullable fields of responses and events as required, because responses and events never omit such a field.

use utoipa::openapi::{
    Paths, RefOr, Schema, Type,
    schema::{Object, SchemaType},
};

use super::{bodies, payloads::Schemas};

/// Marks each nullable field as required, except in schemas that request bodies use.
pub(super) fn require(paths: &Paths, schemas: &mut Schemas) {
    let in_bodies = bodies::names_in(paths, schemas, |_| true);
    for (_, schema) in schemas.iter_mut().filter(|(name, _)| !in_bodies.contains(*name)) {
        require_nullable(schema);
    }
}

/// Marks each nullable field of a schema as required.
pub fn require_nullable(schema: &mut RefOr<Schema>) {
    match schema {
        RefOr::T(Schema::Object(object)) => {
            let Object { properties, required, .. } = object;
            let nullable = properties.iter().filter(|(_, field)| is_nullable(field)).map(|(name, _)| name);
            let missing: Vec<_> = nullable.filter(|name| !required.contains(name)).cloned().collect();
            required.extend(missing);
        }
        RefOr::T(Schema::AllOf(parts)) => parts.items.iter_mut().for_each(require_nullable),
        _ => {}
    }
}

fn is_nullable(field: &RefOr<Schema>) -> bool {
    match field {
        RefOr::T(Schema::Object(object)) => has_null(&object.schema_type),
        RefOr::T(Schema::Array(array)) => has_null(&array.schema_type),
        RefOr::T(Schema::OneOf(choices)) => choices.items.iter().any(is_nullable),
        _ => false,
    }
}

fn has_null(kind: &SchemaType) -> bool {
    match kind {
        SchemaType::Type(kind) => *kind == Type::Null,
        SchemaType::Array(kinds) => kinds.contains(&Type::Null),
        SchemaType::AnyValue => false,
    }
}
