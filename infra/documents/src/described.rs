//! Checks values against the schemas of a document.

use serde_json::{Map, Value};

/// An OpenAPI or AsyncAPI document. References in its schemas point into the document.
pub(crate) struct Described<'a>(pub(crate) &'a Value);

impl Described<'_> {
    /// Checks that `value` matches `schema` and has no other fields.
    pub(crate) fn check_value(&self, value: &Value, schema: &Value, place: &str) -> Result<(), String> {
        let mut known = Vec::new();
        self.collect_fields(schema, &mut known);
        let fields = value.as_object().filter(|_| !known.is_empty());
        let unknown = fields.into_iter().flat_map(Map::keys).find(|name| !known.contains(&name.as_str()));
        match unknown {
            Some(field) => Err(format!("{place}.{field} is not described")),
            None => self.check_parts(value, schema, place),
        }
    }

    fn check_parts(&self, value: &Value, schema: &Value, place: &str) -> Result<(), String> {
        if let Some(target) = self.target(schema) {
            return self.check_parts(value, target, place);
        }
        list(schema, "allOf").try_for_each(|part| self.check_parts(value, part, place))?;
        let mut choices = list(schema, "oneOf").chain(list(schema, "anyOf")).peekable();
        if choices.peek().is_some() && !choices.any(|choice| self.check_value(value, choice, place).is_ok()) {
            return Err(format!("{place} matches none of the allowed schemas"));
        }
        let types = &schema["type"];
        let mut types = types.as_str().into_iter().chain(list_of(types).filter_map(Value::as_str)).peekable();
        if types.peek().is_some() && !types.any(|kind| is_of(value, kind)) {
            return Err(format!("{place} has the wrong type"));
        }
        if schema.get("enum").is_some() && !list(schema, "enum").any(|allowed| allowed == value) {
            return Err(format!("{place} is not one of the allowed values"));
        }
        let mut items = list_of(value).enumerate();
        items.try_for_each(|(index, item)| {
            self.check_value(item, &schema["items"], &format!("{place}[{index}]"))
        })?;
        self.check_fields(value, schema, place)
    }

    fn check_fields(&self, value: &Value, schema: &Value, place: &str) -> Result<(), String> {
        let Some(fields) = value.as_object() else { return Ok(()) };
        let mut required = list(schema, "required").filter_map(Value::as_str);
        if let Some(missing) = required.find(|name| !fields.contains_key(*name)) {
            return Err(format!("{place}.{missing} is missing"));
        }
        let mut described = schema["properties"].as_object().into_iter().flatten();
        described.try_for_each(|(name, schema)| match fields.get(name) {
            Some(field) => self.check_value(field, schema, &format!("{place}.{name}")),
            None => Ok(()),
        })
    }

    fn collect_fields<'s>(&'s self, schema: &'s Value, known: &mut Vec<&'s str>) {
        let schema = self.target(schema).unwrap_or(schema);
        known.extend(schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name.as_str()));
        list(schema, "allOf").for_each(|part| self.collect_fields(part, known));
    }

    pub(crate) fn target(&self, schema: &Value) -> Option<&Value> {
        self.0.pointer(schema["$ref"].as_str()?.strip_prefix('#')?)
    }
}

fn is_of(value: &Value, kind: &str) -> bool {
    match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    }
}

fn list<'v>(value: &'v Value, name: &str) -> impl Iterator<Item = &'v Value> {
    value.get(name).into_iter().flat_map(list_of)
}

fn list_of(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}
