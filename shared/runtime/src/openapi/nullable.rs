//! Requires the nullable fields of answers and events, which omit only fields that cannot be null.

use utoipa::openapi::{
    Paths, RefOr, Schema, Type,
    schema::{Object, SchemaType},
};

use super::{bodies, payloads::Schemas};

/// Requires each nullable field of the schemas that only answers use.
pub(super) fn require(paths: &Paths, schemas: &mut Schemas) {
    let in_bodies = bodies::names_in(paths, schemas, |_| true);
    for (_, schema) in schemas.iter_mut().filter(|(name, _)| !in_bodies.contains(*name)) {
        require_nullable(schema);
    }
}

/// Requires each nullable field of a schema.
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
