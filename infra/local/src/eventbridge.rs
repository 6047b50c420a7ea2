//! EventBridge. Rules send events to queues.

use anyhow::Result;
use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::{
    account::{ACCOUNT, REGION, name_in},
    clock::Clock,
    pattern,
    recorder::{EventKind, Recorder},
    sqs::{NewMessage, Queues},
    template::{Rule, RuleState, Target, default_bus},
};

/// The buses in the template. Each event is matched with the rules of its bus.
pub(crate) struct Bus {
    pub(crate) rules: Vec<Rule>,
    pub(crate) queues: Queues,
    pub(crate) clock: Clock,
    pub(crate) recorder: Recorder,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct PutEvents {
    entries: Vec<Entry>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct Entry {
    source: String,
    detail_type: String,
    detail: String,
    #[serde(default = "default_bus")]
    event_bus_name: String,
    resources: Vec<String>,
}

impl Bus {
    /// Publishes the events in a `PutEvents` request. A malformed entry does not affect other entries.
    pub(crate) fn put(&self, body: &[u8]) -> Result<Json> {
        let call: PutEvents = serde_json::from_slice(body)?;
        let mut messages = Vec::new();
        let entries = call.entries.into_iter();
        let answers: Vec<_> = entries.map(|entry| self.put_one(entry, &mut messages)).collect();
        self.queues.send_each(messages)?;
        let failed = answers.iter().filter(|answer| answer.get("ErrorCode").is_some()).count();
        Ok(json!({ "FailedEntryCount": failed, "Entries": answers }))
    }

    fn put_one(&self, entry: Entry, messages: &mut Vec<(String, NewMessage)>) -> Json {
        let Ok(detail @ Json::Object(_)) = serde_json::from_str(&entry.detail) else {
            return json!({ "ErrorCode": "MalformedDetail", "ErrorMessage": "Detail is malformed." });
        };
        let id = crate::sqs::uuid();
        let event = json!({
            "version": "0",
            "id": id,
            "detail-type": entry.detail_type,
            "source": entry.source,
            "account": ACCOUNT,
            "time": self.clock.now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            "region": REGION,
            "resources": entry.resources,
            "detail": detail,
        });
        let bus = entry.event_bus_name.rsplit('/').next().unwrap_or_default();
        let start = messages.len();
        for rule in self.rules.iter().filter(|rule| rule.state == RuleState::Enabled) {
            if rule.event_bus_name == bus && pattern::matches(&rule.event_pattern, Some(&event)) {
                messages.extend(rule.targets.iter().map(|target| message(target, &event)));
            }
        }
        let queues = messages[start..].iter().map(|(queue, _)| queue.clone()).collect();
        self.recorder.add_event(EventKind::Bus, &entry.detail_type, queues, &entry.detail);
        json!({ "EventId": id })
    }
}

fn message(target: &Target, event: &Json) -> (String, NewMessage) {
    (name_in(&target.arn).to_owned(), NewMessage::new(event.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_matches_only_listed_values() {
        let event = json!({ "source": "social", "detail-type": "MessageSent", "detail": { "kind": "x1" } });
        let passes = |pattern| pattern::matches(&pattern, Some(&event));
        assert!(passes(json!({ "source": ["other", "social"] })));
        assert!(passes(json!({ "source": ["social"], "detail-type": [{ "prefix": "Message" }] })));
        assert!(passes(
            json!({ "detail": { "kind": [{ "anything-but": "x2" }], "gone": [{ "exists": false }] } })
        ));
        assert!(!passes(json!({ "source": ["social"], "detail-type": ["FriendRequested"] })));
        assert!(!passes(json!({ "detail": { "kind": [{ "numeric": [">", 1] }] } })));
    }
}
