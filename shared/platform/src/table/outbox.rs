//! What an outbox is: what follows from a write, laid on its row.
//!
//! It is one attribute, a string of JSON: so the filter of the relay's event source finds the rows that have one, and
//! the relay tells a new outbox from one that was there before. It names queues as the code does, because addresses
//! change; it holds nothing that opens an account, because it lies in the table, its backups and its stream.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ulid::Ulid;

use super::Key;
use crate::{
    bus::Event,
    error::Result,
    queues::{Job, QueueName},
    time::Time,
};

/// The name of the attribute.
pub const ATTRIBUTE: &str = "outbox";

/// What follows from one write.
///
/// Fields are added together with a relay that knows them: one that does not hands the whole outbox to the dead
/// letters, and loses nothing.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outbox {
    /// A ULID of the time of the write. What is published carries it, and whoever hears of it twice knows it again.
    pub(crate) id: String,
    /// The messages to queues.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) send: Vec<Message>,
    /// The events for the bus.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) publish: Vec<Announcement>,
    /// The counters to raise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) raise: Vec<Counter>,
    /// When an operator had it delivered again; a new value is what makes the relay look at it.
    #[serde(skip_serializing_if = "Option::is_none")]
    again: Option<String>,
}

/// A message to a queue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Message {
    pub(crate) queue: QueueName,
    pub(crate) body: Value,
}

/// An event for the bus.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Announcement {
    pub(crate) name: String,
    pub(crate) detail: Value,
}

/// A number on a row that says only that something changed: raised once for all that happened at a time.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Counter {
    pub(crate) pk: String,
    pub(crate) sk: String,
    pub(crate) name: String,
}

impl Counter {
    /// Names the attribute `name` of the row at `key`.
    pub fn new(key: Key, name: &str) -> Self {
        Self { pk: key.pk, sk: key.sk, name: name.to_owned() }
    }
}

impl Outbox {
    pub(crate) fn is_empty(&self) -> bool {
        self.send.is_empty() && self.publish.is_empty() && self.raise.is_empty()
    }

    /// Adds a message to a queue.
    pub(crate) fn send(&mut self, job: &impl Job) -> Result<()> {
        self.send.push(Message { queue: job.queue(), body: serde_json::to_value(job)? });
        Ok(())
    }

    /// Adds an event.
    pub(crate) fn publish<E: Event>(&mut self, event: &E) -> Result<()> {
        self.publish.push(Announcement { name: E::NAME.to_owned(), detail: serde_json::to_value(event)? });
        Ok(())
    }

    /// Adds a counter to raise.
    pub(crate) fn raise(&mut self, counter: Counter) {
        self.raise.push(counter);
    }

    /// Reads an outbox.
    ///
    /// # Errors
    /// Fails when this code does not know all that is in it.
    pub fn read(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }
}

/// Returns when an outbox was laid down; none for what is no outbox, not even one of another version of the code.
pub fn laid_at(text: &str) -> Option<Time> {
    let outbox: Value = serde_json::from_str(text).ok()?;
    let id: Ulid = outbox.get("id")?.as_str()?.parse().ok()?;
    Some(Time::from(Timestamp::from_millisecond(id.timestamp_ms().try_into().ok()?).ok()?))
}

/// Returns the same outbox as the relay takes it for a new one; none for what is no outbox.
pub fn again(text: &str, now: Time) -> Option<String> {
    let mut outbox: Value = serde_json::from_str(text).ok()?;
    outbox.as_object_mut()?.insert("again".to_owned(), now.to_string().into());
    Some(outbox.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outbox_says_when_it_was_laid_and_comes_again_under_its_id() {
        let text = r#"{"id":"01KGB5T9G0A1B2C3D4E5F6G7H8","send":[{"queue":"mail","body":{"a":1}}]}"#;
        let at = laid_at(text).unwrap();
        let again = again(text, at).unwrap();
        assert_ne!(again, text);
        let (first, second) = (Outbox::read(text).unwrap(), Outbox::read(&again).unwrap());
        assert_eq!((first.id, first.send), (second.id, second.send));
        assert_eq!(laid_at(&again), Some(at));
    }

    #[test]
    fn what_this_code_does_not_know_is_not_read_in_part() {
        assert!(Outbox::read(r#"{"id":"1","fax":[]}"#).is_err());
        assert!(Outbox::read(r#"{"id":"1","send":[{"queue":"fax","body":{}}]}"#).is_err());
        assert!(
            laid_at("{}").is_none()
                && laid_at("no").is_none()
                && again("[]", Time::from_seconds(0)).is_none()
        );
    }
}
