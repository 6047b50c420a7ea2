//! Adds the discriminator of each union to the members of the union. Clients read this property to find the type of an
//! object.

use utoipa::openapi::{
    Object, ObjectBuilder, RefOr, Schema, Type,
    schema::{Discriminator, OneOf},
};

use super::payloads::Schemas;

/// Adds the discriminator to the members of all unions: a required property that has one allowed value in each member.
pub(super) fn tag(schemas: &mut Schemas) {
    let discriminators: Vec<_> = schemas.values_mut().filter_map(discriminator).collect();
    for Discriminator { property_name, mapping, .. } in discriminators {
        for (value, schema) in mapping {
            let name = schema.rsplit('/').next().unwrap_or_default();
            if let Some(RefOr::T(member)) = schemas.get_mut(name) {
                add(member, &property_name, &value);
            }
        }
    }
}

/// Returns the discriminator of a union. Makes the members plain references, because generators treat a reference with a
/// description as a schema without a name.
fn discriminator(schema: &mut RefOr<Schema>) -> Option<Discriminator> {
    let RefOr::T(Schema::OneOf(OneOf { discriminator, items, .. })) = schema else { return None };
    let discriminator = discriminator.clone()?;
    for member in items {
        if let RefOr::Ref(member) = member {
            member.description.clear();
        }
    }
    Some(discriminator)
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
