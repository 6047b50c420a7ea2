//! Checks whether the document describes an event. The local stack rejects other events.

use serde_json::{Map, Value};

use super::DOCUMENT;
use crate::described::Described;

/// Returns how an event on a channel differs from the document, or `None` if the document describes it.
pub fn undescribed(channel: &str, name: &str, data: &Value) -> Option<String> {
    check(&Described(&DOCUMENT), channel, name, data)
        .err()
        .map(|reason| format!("{name} on {channel}: {reason}"))
}

fn check(document: &Described<'_>, channel: &str, name: &str, data: &Value) -> Result<(), String> {
    let all = document.0["channels"].as_object();
    let found = all.into_iter().flat_map(Map::values).find(|described| is_at(channel, described));
    let found = found.ok_or("the channel does not exist")?;
    let messages = found["messages"].as_object().into_iter().flat_map(Map::values);
    let mut messages = messages.filter_map(|reference| document.target(reference));
    let message = messages.find(|message| message["name"] == name).ok_or("the channel has no such event")?;
    document.check_value(data, &message["payload"], "data")
}

fn is_at(channel: &str, described: &Value) -> bool {
    let address = described["address"].as_str().unwrap_or_default();
    match address.split_once('{') {
        Some((prefix, _)) => channel.strip_prefix(prefix).is_some_and(|id| !id.is_empty()),
        None => channel == address,
    }
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
