//! Holds what is pushed to what the document says: an event that it does not describe is not handed on.

use serde_json::Value;

use super::DOCUMENT;

/// Returns what the document does not say of an event on a channel; none when it describes it.
pub fn undescribed(channel: &str, name: &str, data: &Value) -> Option<String> {
    Described(&DOCUMENT).check(channel, name, data).err().map(|why| format!("{name} on {channel}: {why}"))
}

struct Described<'a>(&'a Value);

impl Described<'_> {
    fn check(&self, channel: &str, name: &str, data: &Value) -> Result<(), String> {
        let all = self.0["channels"].as_object();
        let found = all.into_iter().flat_map(|it| it.values()).find(|it| is_at(channel, it));
        let found = found.ok_or("there is no such channel")?;
        let messages = found["messages"].as_object().into_iter().flat_map(|it| it.values());
        let mut messages = messages.filter_map(|it| self.target(it));
        let message = messages.find(|it| it["name"] == name).ok_or("the channel has no such event")?;
        self.check_value(data, &message["payload"], "data")
    }

    /// A value has what its schema asks for, and nothing that the schema does not name.
    fn check_value(&self, value: &Value, schema: &Value, place: &str) -> Result<(), String> {
        let mut known = Vec::new();
        self.name_fields(schema, &mut known);
        let fields = value.as_object().filter(|_| !known.is_empty());
        let unknown = fields.into_iter().flat_map(|it| it.keys()).find(|it| !known.contains(&it.as_str()));
        match unknown {
            Some(field) => Err(format!("{place}.{field} is not described")),
            None => self.check_parts(value, schema, place),
        }
    }

    fn check_parts(&self, value: &Value, schema: &Value, place: &str) -> Result<(), String> {
        if let Some(target) = self.target(schema) {
            return self.check_parts(value, target, place);
        }
        list(schema, "allOf").try_for_each(|it| self.check_parts(value, it, place))?;
        let mut choices = list(schema, "oneOf").chain(list(schema, "anyOf")).peekable();
        if choices.peek().is_some() && !choices.any(|it| self.check_value(value, it, place).is_ok()) {
            return Err(format!("{place} is none of what it may be"));
        }
        let types = &schema["type"];
        let mut types = types.as_str().into_iter().chain(list_of(types).filter_map(Value::as_str)).peekable();
        if types.peek().is_some() && !types.any(|it| is_of(value, it)) {
            return Err(format!("{place} is of another type"));
        }
        if schema.get("enum").is_some() && !list(schema, "enum").any(|it| it == value) {
            return Err(format!("{place} is none of its values"));
        }
        let mut items = list_of(value).enumerate();
        items.try_for_each(|(at, it)| self.check_value(it, &schema["items"], &format!("{place}[{at}]")))?;
        self.check_fields(value, schema, place)
    }

    fn check_fields(&self, value: &Value, schema: &Value, place: &str) -> Result<(), String> {
        let Some(fields) = value.as_object() else { return Ok(()) };
        let mut required = list(schema, "required").filter_map(Value::as_str);
        if let Some(missing) = required.find(|it| !fields.contains_key(*it)) {
            return Err(format!("{place}.{missing} is missing"));
        }
        let mut described = schema["properties"].as_object().into_iter().flatten();
        described.try_for_each(|(name, schema)| match fields.get(name) {
            Some(field) => self.check_value(field, schema, &format!("{place}.{name}")),
            None => Ok(()),
        })
    }

    fn name_fields<'s>(&'s self, schema: &'s Value, known: &mut Vec<&'s str>) {
        let schema = self.target(schema).unwrap_or(schema);
        known.extend(schema["properties"].as_object().into_iter().flatten().map(|(name, _)| name.as_str()));
        list(schema, "allOf").for_each(|it| self.name_fields(it, known));
    }

    fn target(&self, schema: &Value) -> Option<&Value> {
        self.0.pointer(schema["$ref"].as_str()?.strip_prefix('#')?)
    }
}

fn is_at(channel: &str, described: &Value) -> bool {
    let address = described["address"].as_str().unwrap_or_default();
    match address.split_once('{') {
        Some((beginning, _)) => channel.strip_prefix(beginning).is_some_and(|id| !id.is_empty()),
        None => channel == address,
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const CIRCLE: &str = "presence-circle-01KGB5T9G0A1B2C3D4E5F6G7H8";

    fn begun() -> Value {
        json!({
            "circleId": "c", "sessionId": "s", "postId": "p", "targetComments": 3,
            "expiresAt": "2026-01-31T09:30:00.000Z", "eventId": "e"
        })
    }

    fn with(name: &str, value: Value) -> Value {
        let mut data = begun();
        data[name] = value;
        data
    }

    #[test]
    fn what_the_document_describes_is_handed_on() {
        assert_eq!(undescribed(CIRCLE, "cpr:started", &begun()), None);
        assert_eq!(
            undescribed("notifications", "notification", &json!({ "count": 1, "eventId": "e" })),
            None
        );
    }

    #[test]
    fn what_it_does_not_describe_is_named() {
        let mut without = begun();
        without.as_object_mut().map(|it| it.remove("postId"));
        for (channel, name, data, why) in [
            ("presence-crowd-x", "cpr:started", begun(), "there is no such channel"),
            ("presence-circle-", "cpr:started", begun(), "there is no such channel"),
            ("notifications", "cpr:started", begun(), "the channel has no such event"),
            (CIRCLE, "cpr:ended", begun(), "the channel has no such event"),
            (CIRCLE, "cpr:started", with("colour", json!(1)), "data.colour is not described"),
            (
                CIRCLE,
                "cpr:started",
                with("targetComments", json!("3")),
                "data.targetComments is of another type",
            ),
            (CIRCLE, "cpr:started", without, "data.postId is missing"),
            (CIRCLE, "cpr:started", json!("text"), "data is of another type"),
        ] {
            assert_eq!(undescribed(channel, name, &data), Some(format!("{name} on {channel}: {why}")));
        }
    }

    #[test]
    fn every_example_is_as_the_document_says() {
        let described = Described(&DOCUMENT);
        let messages = DOCUMENT["components"]["messages"].as_object().into_iter().flatten();
        let mut seen = 0;
        for (name, message) in messages {
            let example = &message["examples"][0]["payload"];
            assert_eq!(
                described.check_value(example, &message["payload"], "data"),
                Ok(()),
                "{name}: {example}"
            );
            seen += 1;
        }
        assert!(seen > 15, "{seen}");
    }
}
