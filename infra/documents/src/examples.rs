//! Adds examples, descriptions of parameters, and `x-scopes` to the OpenAPI document. The example of an object consists
//! of the examples of its fields.

use serde_json::{Value, json};

pub(crate) const SCHEMAS: &str = "#/components/schemas/";
const TIME: &str = "2026-01-31T09:30:00.000Z";

/// Adds examples, missing descriptions and `x-scopes` to an OpenAPI document.
pub(crate) fn complete(document: &mut Value) {
    let schemas = document["components"]["schemas"].clone();
    let schemas = Schemas(&schemas);
    schemas.exemplify_all(&mut document["components"]["schemas"]);
    for (_, parameter) in objects(&mut document["components"]["parameters"]) {
        schemas.describe(parameter);
    }
    for operation in operations(document) {
        for parameter in list(operation, "parameters") {
            schemas.describe(parameter);
        }
        name_scopes(operation);
    }
    describe_choices(document);
}

/// Moves the description of a nullable schema to the schema itself. The description is in the only choice in `oneOf`.
pub(crate) fn describe_choices(value: &mut Value) {
    let mut choices: Vec<_> = list(value, "oneOf").filter(|choice| choice["type"] != "null").collect();
    let described = match &mut choices[..] {
        [Value::Object(only)] => only.remove("description"),
        _ => None,
    };
    if let (Some(description), Some(whole)) = (described, value.as_object_mut()) {
        whole.entry("description").or_insert(description);
    }
    match value {
        Value::Object(fields) => fields.values_mut().for_each(describe_choices),
        Value::Array(items) => items.iter_mut().for_each(describe_choices),
        _ => {}
    }
}

/// Converts each `example` to a list `examples`, as in JSON Schema.
pub(crate) fn list_examples(schemas: &mut Value) {
    for (_, schema) in objects(schemas) {
        list_example(schema);
    }
}

fn list_example(schema: &mut Value) {
    let Some(fields) = schema.as_object_mut() else { return };
    if let Some(example) = fields.remove("example") {
        fields.entry("examples").or_insert(json!([example]));
    }
    for (_, property) in objects(fields.get_mut("properties").unwrap_or(&mut Value::Null)) {
        list_example(property);
    }
    for part in ["allOf", "oneOf", "anyOf"] {
        list(schema, part).for_each(list_example);
    }
    schema.get_mut("items").map(list_example);
}

fn objects(value: &mut Value) -> impl Iterator<Item = (&String, &mut Value)> {
    value.as_object_mut().into_iter().flatten()
}

fn operations(document: &mut Value) -> impl Iterator<Item = &mut Value> {
    objects(&mut document["paths"]).flat_map(|(_, item)| objects(item)).map(|(_, operation)| operation)
}

/// Moves the scopes of application tokens to `x-scopes`. Validators accept scopes only in OAuth schemes.
fn name_scopes(operation: &mut Value) {
    let by_token = list(operation, "security").find_map(|scheme| scheme.get_mut("token"));
    if let Some(scopes) = by_token.map(|scopes| std::mem::replace(scopes, json!([]))) {
        operation["x-scopes"] = scopes;
    }
}

fn list<'v>(value: &'v mut Value, name: &str) -> impl Iterator<Item = &'v mut Value> {
    value.get_mut(name).and_then(Value::as_array_mut).into_iter().flatten()
}

/// The schemas of the document, by name.
pub(crate) struct Schemas<'a>(pub(crate) &'a Value);

impl Schemas<'_> {
    /// Adds an example to each schema in `schemas`.
    pub(crate) fn exemplify_all(&self, schemas: &mut Value) {
        for (name, schema) in objects(schemas) {
            self.exemplify(schema, &json!({ "$ref": format!("{SCHEMAS}{name}") }));
        }
    }

    /// Adds an example of `schema` to `place`, unless `place` already has an example.
    fn exemplify(&self, place: &mut Value, schema: &Value) {
        let has_own = ["example", "examples"].iter().any(|name| place.get(name).is_some());
        if let (false, Some(example)) = (has_own, self.example(schema, &[])) {
            place["example"] = example;
        }
    }

    /// Adds a missing description or example to a parameter, based on the parameter's schema.
    fn describe(&self, parameter: &mut Value) {
        if parameter.get("schema").is_none() {
            return;
        }
        let schema = parameter["schema"].clone();
        if parameter.get("description").is_none()
            && let Some(description) = self.named(&schema).map(|(_, schema)| schema["description"].clone())
        {
            parameter["description"] = description;
        }
        match parameter["name"].as_str() {
            // The API reference sends examples of parameters. A request must not send a made-up cursor.
            Some("after" | "cursor") => {}
            _ => self.exemplify(parameter, &schema),
        }
    }

    fn named<'s>(&self, schema: &'s Value) -> Option<(&'s str, &Value)> {
        let name = schema["$ref"].as_str()?.strip_prefix(SCHEMAS)?;
        Some((name, self.0.get(name)?))
    }

    /// Returns an example of a schema, or `None` if the schema contains itself.
    pub(crate) fn example(&self, schema: &Value, within: &[&str]) -> Option<Value> {
        if let Some((name, schema)) = self.named(schema) {
            let deeper: Vec<_> = within.iter().copied().chain([name]).collect();
            return (!within.contains(&name)).then(|| self.example(schema, &deeper))?;
        }
        let candidates = [&schema["example"], &schema["examples"][0], &schema["default"], &schema["enum"][0]];
        candidates
            .into_iter()
            .find(|value| !value.is_null())
            .cloned()
            .or_else(|| self.composed(schema, within))
    }

    fn composed(&self, schema: &Value, within: &[&str]) -> Option<Value> {
        let parts = |name: &str| schema[name].as_array().into_iter().flatten();
        if schema.get("allOf").is_some() {
            let merged = parts("allOf").filter_map(|part| self.example(part, within));
            return Some(merged.filter_map(|part| part.as_object().cloned()).flatten().collect());
        }
        let mut choices = parts("oneOf").chain(parts("anyOf")).peekable();
        match choices.peek() {
            Some(_) => choices.find_map(|choice| self.example(choice, within)),
            None => self.of_type(schema, within),
        }
    }

    fn of_type(&self, schema: &Value, within: &[&str]) -> Option<Value> {
        let types = &schema["type"];
        match types.as_str().or(types[0].as_str())? {
            "object" => {
                let fields = schema["properties"].as_object().into_iter().flatten();
                let examples =
                    fields.filter_map(|(name, field)| Some((name.clone(), self.example(field, within)?)));
                Some(examples.collect())
            }
            "array" => {
                let min_items = schema["minItems"].as_u64().and_then(|count| usize::try_from(count).ok());
                let item = self.example(&schema["items"], within);
                Some(json!(
                    item.map(|item| vec![item; min_items.unwrap_or_default().max(1)]).unwrap_or_default()
                ))
            }
            "string" => Some(json!(text(schema["format"].as_str().unwrap_or_default()))),
            "integer" | "number" => Some(schema.get("minimum").cloned().unwrap_or(json!(1))),
            "boolean" => Some(json!(true)),
            "null" => Some(Value::Null),
            _ => None,
        }
    }
}

fn text(format: &str) -> &'static str {
    match format {
        "date-time" => TIME,
        "uri" => "https://example.com/",
        _ => "text",
    }
}
