//! Calls to AWS and their billed units.

use std::{collections::BTreeMap, ops::Sub};

use local::consumed::Consumed;
use serde_json::Value;

/// AWS usage: calls, consumed capacity, messages and events.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cost {
    /// Calls to DynamoDB.
    pub calls: u32,
    /// Read units.
    pub rru: f64,
    /// Write units.
    pub wru: f64,
    /// Calls that send to queues.
    pub sends: u32,
    /// Events put on the bus.
    pub events: u32,
    /// Messages in written outboxes.
    pub messages: u32,
    /// Events in written outboxes.
    pub announcements: u32,
    /// Number of calls by operation.
    pub operations: BTreeMap<String, u32>,
}

impl Cost {
    pub(super) fn count(&mut self, operation: &str, response: &Value) {
        *self.operations.entry(operation.to_owned()).or_default() += 1;
        match operation {
            "SendMessage" | "SendMessageBatch" => self.sends += 1,
            "PutEvents" => {
                self.events += response["Entries"].as_array().map_or(1, |entries| entries.len() as u32)
            }
            _ => self.count_table(operation, response),
        }
    }

    /// Adds the messages and events in the outboxes of a write request to the cost.
    pub(super) fn count_outboxes(&mut self, request: &Value) {
        match request {
            Value::Object(fields) => fields.values().for_each(|field| self.count_outboxes(field)),
            Value::Array(values) => values.iter().for_each(|value| self.count_outboxes(value)),
            Value::String(text) if text.starts_with(r#"{"id":"#) => {
                let outbox: Value = serde_json::from_str(text).unwrap_or_default();
                let count = |field: &str| outbox[field].as_array().map_or(0, Vec::len) as u32;
                self.messages += count("send");
                self.announcements += count("publish");
            }
            _ => {}
        }
    }

    fn count_table(&mut self, operation: &str, response: &Value) {
        let consumed = Consumed::by(operation, response);
        self.calls += 1;
        self.rru += consumed.read_units;
        self.wru += consumed.write_units;
    }
}

impl Sub for Cost {
    type Output = Self;

    fn sub(mut self, before: Self) -> Self {
        for (operation, calls) in before.operations {
            *self.operations.entry(operation).or_default() -= calls;
        }
        self.operations.retain(|_, calls| *calls > 0);
        Self {
            operations: self.operations,
            calls: self.calls - before.calls,
            rru: self.rru - before.rru,
            wru: self.wru - before.wru,
            sends: self.sends - before.sends,
            events: self.events - before.events,
            messages: self.messages - before.messages,
            announcements: self.announcements - before.announcements,
        }
    }
}
