//! Adds the discriminator to the schemas of each union. Clients choose the type of an answer by this property.

use utoipa::openapi::{
    Object, ObjectBuilder, RefOr, Schema, Type,
    schema::{Discriminator, OneOf},
};

use super::payloads::Schemas;

/// Adds the discriminator to the schemas that the unions map, as the only value of a required property.
pub(super) fn tag(schemas: &mut Schemas) {
    let discriminators: Vec<_> = schemas.values().filter_map(discriminator).cloned().collect();
    for Discriminator { property_name, mapping, .. } in discriminators {
        for (value, schema) in mapping {
            let name = schema.rsplit('/').next().unwrap_or_default();
            if let Some(RefOr::T(member)) = schemas.get_mut(name) {
                add(member, &property_name, &value);
            }
        }
    }
}

fn discriminator(schema: &RefOr<Schema>) -> Option<&Discriminator> {
    match schema {
        RefOr::T(Schema::OneOf(OneOf { discriminator, .. })) => discriminator.as_ref(),
        _ => None,
    }
}

fn add(member: &mut Schema, property: &str, value: &str) {
    match member {
        Schema::Object(object) => require(object, property, value),
        Schema::AllOf(parts) => {
            let mut object = ObjectBuilder::new().schema_type(Type::Object).build();
            require(&mut object, property, value);
            parts.items.push(object.into());
        }
        _ => {}
    }
}

/// Adds the property, unless another union has added it.
fn require(object: &mut Object, property: &str, value: &str) {
    if object.properties.contains_key(property) {
        return;
    }
    let only = ObjectBuilder::new()
        .schema_type(Type::String)
        .description(Some("The kind of object, which is the same in every object of this schema."))
        .enum_values(Some([value]));
    object.properties.insert(property.to_owned(), only.into());
    object.required.push(property.to_owned());
}
