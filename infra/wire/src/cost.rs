//! What requests ask of AWS, in the units that it bills.

use std::{collections::BTreeMap, ops::Sub};

use local::consumed::Consumed;
use serde_json::Value;

/// Calls and capacity; the same on every machine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cost {
    /// Calls to DynamoDB.
    pub calls: u32,
    /// Read units.
    pub rru: f64,
    /// Write units.
    pub wru: f64,
    /// Sends to queues.
    pub sends: u32,
    /// Events put on the bus.
    pub events: u32,
    /// Messages that follow from writes, for the relay to send.
    pub messages: u32,
    /// Events that follow from writes, for the relay to put on the bus.
    pub announcements: u32,
    /// How often what was called, for the message of a budget that does not hold.
    pub operations: BTreeMap<String, u32>,
}

impl Cost {
    pub(super) fn count(&mut self, operation: &str, answer: &Value) {
        *self.operations.entry(operation.to_owned()).or_default() += 1;
        match operation {
            "SendMessage" | "SendMessageBatch" => self.sends += 1,
            "PutEvents" => self.events += answer["Entries"].as_array().map_or(1, |it| it.len() as u32),
            _ => self.count_table(operation, answer),
        }
    }

    /// Counts what the outboxes in a request hold.
    pub(super) fn count_outboxes(&mut self, request: &Value) {
        match request {
            Value::Object(fields) => fields.values().for_each(|it| self.count_outboxes(it)),
            Value::Array(values) => values.iter().for_each(|it| self.count_outboxes(it)),
            Value::String(text) if text.starts_with(r#"{"id":"#) => {
                let outbox: Value = serde_json::from_str(text).unwrap_or_default();
                let held = |part: &str| outbox[part].as_array().map_or(0, Vec::len) as u32;
                self.messages += held("send");
                self.announcements += held("publish");
            }
            _ => {}
        }
    }

    fn count_table(&mut self, operation: &str, answer: &Value) {
        let consumed = Consumed::by(operation, answer);
        self.calls += 1;
        self.rru += consumed.read_units;
        self.wru += consumed.write_units;
    }
}

impl Sub for Cost {
    type Output = Self;

    fn sub(mut self, before: Self) -> Self {
        for (operation, times) in before.operations {
            *self.operations.entry(operation).or_default() -= times;
        }
        self.operations.retain(|_, times| *times > 0);
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
