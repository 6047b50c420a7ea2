//! The outbox of a write: an attribute of the written row that contains JSON text.
//!
//! The relay's event filter matches this attribute, and the relay compares the outbox with the previous outbox. An
//! outbox has the names of queues instead of URLs, because URLs may change. An outbox must not contain secrets, because
//! the table's backups and stream include the outbox.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ulid::Ulid;

use super::Key;
use crate::{Job, QueueName, Result, Time, bus::Event};

/// Name of the attribute that contains the outbox.
pub const ATTRIBUTE: &str = "outbox";

/// The jobs, events and counters that follow from one write.
///
/// The relay moves an outbox with unknown fields to the dead-letter queue. So deploy a new field together with the
/// relay.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outbox {
    /// A ULID with the time of the write. The IDs of the outbox's events contain this ULID, so consumers can detect
    /// duplicates.
    pub(crate) id: String,
    /// ID of the request that caused the write, or `None` if a scheduled job caused it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) request: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) send: Vec<Message>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) publish: Vec<OutboxEvent>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) raise: Vec<Counter>,
    /// Time at which an operator requested redelivery. A new value makes the relay process the outbox again.
    #[serde(skip_serializing_if = "Option::is_none")]
    again: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Message {
    pub(crate) queue: QueueName,
    pub(crate) body: Value,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OutboxEvent {
    pub(crate) name: String,
    pub(crate) detail: Value,
}

/// A numeric attribute of a row, for example the version of a list. An increment signals that the list changed. If
/// several outboxes in a batch have the same counter, the relay increments it once.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counter {
    pub(crate) pk: String,
    pub(crate) sk: String,
    pub(crate) name: String,
}

impl Counter {
    /// Returns the counter in the attribute `name` of the row at `key`.
    pub fn new(key: Key, name: &str) -> Self {
        Self { pk: key.pk, sk: key.sk, name: name.to_owned() }
    }
}

impl Outbox {
    pub(crate) fn is_empty(&self) -> bool {
        self.send.is_empty() && self.publish.is_empty() && self.raise.is_empty()
    }

    pub(crate) fn send(&mut self, job: &impl Job) -> Result<()> {
        self.send.push(Message { queue: job.queue(), body: serde_json::to_value(job)? });
        Ok(())
    }

    pub(crate) fn publish<E: Event>(&mut self, event: &E) -> Result<()> {
        self.publish.push(OutboxEvent { name: E::NAME.to_owned(), detail: serde_json::to_value(event)? });
        Ok(())
    }

    /// Returns the ID of the request that caused the write, if there is one.
    pub fn request(&self) -> Option<&str> {
        self.request.as_deref()
    }

    pub(crate) fn raise(&mut self, counter: Counter) {
        self.raise.push(counter);
    }

    /// Parses an outbox.
    ///
    /// # Errors
    /// Fails if the outbox is invalid, or if it has unknown fields or queues.
    pub fn read(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }
}

/// Returns the time at which an outbox was written, or `None` if the text is not an outbox. Accepts outboxes of other
/// releases.
pub fn written_at(text: &str) -> Option<Time> {
    let outbox: Value = serde_json::from_str(text).ok()?;
    let id: Ulid = outbox.get("id")?.as_str()?.parse().ok()?;
    Some(Time::from(Timestamp::from_millisecond(id.timestamp_ms().try_into().ok()?).ok()?))
}

/// Returns the outbox with the redelivery time `now`, or `None` if the text is not a JSON object.
pub fn for_redelivery(text: &str, now: Time) -> Option<String> {
    let mut outbox: Value = serde_json::from_str(text).ok()?;
    outbox.as_object_mut()?.insert("again".to_owned(), now.to_string().into());
    Some(outbox.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn redelivery_keeps_the_id_and_the_time_of_the_write() {
        let text = r#"{"id":"01KGB5T9G0A1B2C3D4E5F6G7H8","send":[{"queue":"mail","body":{"a":1}}]}"#;
        let at = written_at(text).unwrap();
        let redelivered = for_redelivery(text, at).unwrap();
        assert_ne!(redelivered, text);
        let (first, second) = (Outbox::read(text).unwrap(), Outbox::read(&redelivered).unwrap());
        assert_eq!((first.id, first.send), (second.id, second.send));
        assert_eq!(written_at(&redelivered), Some(at));
        assert_eq!(second.request, None, "no request caused the write");
    }

    #[test]
    fn an_outbox_with_unknown_fields_or_queues_is_refused() {
        assert!(Outbox::read(r#"{"id":"1","fax":[]}"#).is_err());
        assert!(Outbox::read(r#"{"id":"1","send":[{"queue":"fax","body":{}}]}"#).is_err());
        assert!(
            written_at("{}").is_none()
                && written_at("no").is_none()
                && for_redelivery("[]", Time::from_seconds(0)).is_none()
        );
    }
}
