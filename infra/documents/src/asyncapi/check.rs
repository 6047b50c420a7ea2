//! Checks whether the document describes an event. The local stack rejects other events.

use serde_json::{Map, Value};

use super::DOCUMENT;

/// Returns how an event on a channel differs from the document, or `None` if the document describes it.
pub fn undescribed(channel: &str, name: &str, data: &Value) -> Option<String> {
    Described(&DOCUMENT)
        .check(channel, name, data)
        .err()
        .map(|reason| format!("{name} on {channel}: {reason}"))
}

struct Described<'a>(&'a Value);

impl Described<'_> {
    fn check(&self, channel: &str, name: &str, data: &Value) -> Result<(), String> {
        let all = self.0["channels"].as_object();
        let found = all.into_iter().flat_map(Map::values).find(|described| is_at(channel, described));
        let found = found.ok_or("the channel does not exist")?;
        let messages = found["messages"].as_object().into_iter().flat_map(Map::values);
        let mut messages = messages.filter_map(|reference| self.target(reference));
        let message =
            messages.find(|message| message["name"] == name).ok_or("the channel has no such event")?;
        self.check_value(data, &message["payload"], "data")
    }

    /// Checks that `value` matches `schema` and has no other fields.
    fn check_value(&self, value: &Value, schema: &Value, place: &str) -> Result<(), String> {
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

    fn target(&self, schema: &Value) -> Option<&Value> {
        self.0.pointer(schema["$ref"].as_str()?.strip_prefix('#')?)
    }
}

fn is_at(channel: &str, described: &Value) -> bool {
    let address = described["address"].as_str().unwrap_or_default();
    match address.split_once('{') {
        Some((prefix, _)) => channel.strip_prefix(prefix).is_some_and(|id| !id.is_empty()),
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

    fn cpr_started() -> Value {
        json!({
            "circleId": "c", "sessionId": "s", "postId": "p", "targetComments": 3,
            "expiresAt": "2026-01-31T09:30:00.000Z", "eventId": "e"
        })
    }

    fn with(name: &str, value: Value) -> Value {
        let mut data = cpr_started();
        data[name] = value;
        data
    }

    #[test]
    fn described_events_are_accepted() {
        assert_eq!(undescribed(CIRCLE, "cpr:started", &cpr_started()), None);
        assert_eq!(
            undescribed("notifications", "notification", &json!({ "count": 1, "eventId": "e" })),
            None
        );
    }

    #[test]
    fn undescribed_events_are_rejected_with_a_reason() {
        let mut without = cpr_started();
        without.as_object_mut().map(|fields| fields.remove("postId"));
        for (channel, name, data, reason) in [
            ("presence-crowd-x", "cpr:started", cpr_started(), "the channel does not exist"),
            ("presence-circle-", "cpr:started", cpr_started(), "the channel does not exist"),
            ("notifications", "cpr:started", cpr_started(), "the channel has no such event"),
            (CIRCLE, "cpr:ended", cpr_started(), "the channel has no such event"),
            (CIRCLE, "cpr:started", with("color", json!(1)), "data.color is not described"),
            (
                CIRCLE,
                "cpr:started",
                with("targetComments", json!("3")),
                "data.targetComments has the wrong type",
            ),
            (CIRCLE, "cpr:started", without, "data.postId is missing"),
            (CIRCLE, "cpr:started", json!("text"), "data has the wrong type"),
        ] {
            assert_eq!(undescribed(channel, name, &data), Some(format!("{name} on {channel}: {reason}")));
        }
    }

    #[test]
    fn every_example_matches_its_schema() {
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
