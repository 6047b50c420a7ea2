//! One queue with its visible, delayed and in-flight messages.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use jiff::Timestamp;
use tokio::sync::Notify;
use ulid::Ulid;

use super::{
    Refusal,
    message::{Message, NewMessage, Received},
};
use crate::template;

/// A queue. A sequence number identifies each message.
#[derive(Default)]
pub(crate) struct Queue {
    pub(crate) settings: template::Queue,
    pub(crate) arrival: Arc<Notify>,
    messages: BTreeMap<u64, Message>,
    visible: BTreeSet<u64>,
    /// Delayed and in-flight messages, with the time when they become visible.
    waiting: BTreeSet<(Timestamp, u64)>,
    /// Sequence numbers of changed messages that have not been written to disk yet.
    changed: BTreeSet<u64>,
    next: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) visible: usize,
    pub(crate) in_flight: usize,
    pub(crate) delayed: usize,
}

impl Queue {
    pub(crate) fn send(&mut self, new: NewMessage, now: Timestamp) -> Result<Message, Refusal> {
        new.check_size()?;
        let delay = new.delay.unwrap_or(Duration::from_secs(self.settings.delay_seconds));
        let message = Message {
            id: uuid(),
            body: new.body,
            attributes: new.attributes,
            sent: now,
            first_received: None,
            receives: 0,
            visible_at: later(now, delay),
            in_flight: false,
        };
        self.add(message.clone());
        self.promote(now);
        Ok(message)
    }

    pub(crate) fn remove_duplicates(&mut self, body: &str) {
        let equal = |sequence: &u64| self.messages.get(sequence).is_some_and(|message| message.body == body);
        let equal: Vec<_> = self.visible.iter().copied().filter(equal).skip(1).collect();
        for sequence in equal {
            self.remove(sequence);
        }
    }

    /// Receives up to `max` visible messages. Returns the received messages, and the messages to move to the
    /// dead-letter queue.
    pub(crate) fn receive(
        &mut self,
        max: usize,
        visibility: Option<Duration>,
        now: Timestamp,
    ) -> (Vec<Received>, Vec<Message>) {
        self.promote(now);
        let until = later(now, visibility.unwrap_or(Duration::from_secs(self.settings.visibility_timeout)));
        let limit = self.settings.redrive_policy.as_ref().map(|redrive| redrive.max_receive_count);
        let (mut received, mut dead) = (Vec::new(), Vec::new());
        while received.len() < max
            && let Some(sequence) = self.visible.pop_first()
        {
            let Some(mut message) = self.messages.remove(&sequence) else { continue };
            self.changed.insert(sequence);
            if limit.is_some_and(|limit| message.receives >= limit) {
                dead.push(message);
                continue;
            }
            message.receives += 1;
            message.first_received.get_or_insert(now);
            message.in_flight = true;
            message.visible_at = until;
            let receipt = format!("{sequence}.{}.{}", message.receives, message.id);
            received.push(Received { receipt, message: message.clone() });
            self.waiting.insert((until, sequence));
            self.messages.insert(sequence, message);
        }
        (received, dead)
    }

    /// Deletes a message. Has no effect if `receipt` is not from the latest receive.
    pub(crate) fn delete(&mut self, receipt: &str) -> Result<(), Refusal> {
        if let Some(sequence) = self.sequence(receipt)? {
            self.remove(sequence);
        }
        Ok(())
    }

    fn remove(&mut self, sequence: u64) -> Option<Message> {
        let message = self.messages.remove(&sequence)?;
        self.changed.insert(sequence);
        self.visible.remove(&sequence);
        self.waiting.remove(&(message.visible_at, sequence));
        Some(message)
    }

    pub(crate) fn set_visibility(
        &mut self,
        receipt: &str,
        after: Duration,
        now: Timestamp,
    ) -> Result<(), Refusal> {
        let sequence = self.sequence(receipt)?.filter(|sequence| self.is_in_flight(*sequence));
        let not_in_flight = || Refusal::new("MessageNotInflight", "The message is not in flight.");
        let sequence = sequence.ok_or_else(not_in_flight)?;
        self.reschedule(sequence, later(now, after));
        self.promote(now);
        Ok(())
    }

    pub(crate) fn expire_visibility(&mut self, now: Timestamp) {
        let in_flight: Vec<_> = self.in_flight().collect();
        in_flight.into_iter().for_each(|sequence| self.reschedule(sequence, now));
        self.promote(now);
    }

    pub(crate) fn purge(&mut self) {
        self.changed.extend(self.messages.keys());
        self.messages.clear();
        self.visible.clear();
        self.waiting.clear();
    }

    /// Adds a message from a different queue: a dead letter or a redriven message.
    pub(crate) fn add_moved(&mut self, message: Message, now: Timestamp) {
        self.add(Message { visible_at: now, in_flight: false, receives: 0, ..message });
        self.promote(now);
    }

    fn add(&mut self, message: Message) {
        self.changed.insert(self.next + 1);
        self.restore(self.next + 1, message);
    }

    /// Adds a stored message with its original sequence number.
    pub(super) fn restore(&mut self, sequence: u64, message: Message) {
        self.next = self.next.max(sequence);
        self.waiting.insert((message.visible_at, sequence));
        self.messages.insert(sequence, message);
    }

    /// Returns the messages whose changes are not yet on disk, by sequence number. `None` is a deleted message.
    pub(super) fn changes(&self) -> impl Iterator<Item = (u64, Option<&Message>)> {
        self.changed.iter().map(|sequence| (*sequence, self.messages.get(sequence)))
    }

    pub(super) fn clear_changes(&mut self) {
        self.changed.clear();
    }

    pub(crate) fn counts(&mut self, now: Timestamp) -> Counts {
        self.promote(now);
        let in_flight = self.in_flight().count();
        Counts {
            visible: self.visible.len(),
            in_flight,
            delayed: self.messages.len() - self.visible.len() - in_flight,
        }
    }

    /// Returns all messages, oldest first.
    pub(crate) fn messages(&self) -> impl Iterator<Item = &Message> {
        self.messages.values()
    }

    pub(crate) fn take_visible(&mut self, now: Timestamp) -> Vec<Message> {
        self.promote(now);
        let visible = self.visible.clone();
        visible.into_iter().filter_map(|sequence| self.remove(sequence)).collect()
    }

    pub(crate) fn next_visible(&self) -> Option<Timestamp> {
        self.waiting.first().map(|(time, _)| *time)
    }

    /// Makes due messages visible, and deletes messages that are older than the retention period.
    fn promote(&mut self, now: Timestamp) {
        while let Some((time, sequence)) = self.waiting.first().copied()
            && time <= now
        {
            self.waiting.pop_first();
            self.visible.insert(sequence);
            if let Some(message) = self.messages.get_mut(&sequence) {
                message.in_flight = false;
            }
        }
        let keep = Duration::from_secs(self.settings.message_retention_period);
        while let Some((sequence, message)) = self.messages.first_key_value()
            && later(message.sent, keep) < now
        {
            let sequence = *sequence;
            self.remove(sequence);
        }
        if !self.visible.is_empty() {
            self.arrival.notify_waiters();
        }
    }

    fn in_flight(&self) -> impl Iterator<Item = u64> {
        let waiting = self.waiting.iter().map(|(_, sequence)| *sequence);
        waiting.filter(|sequence| self.is_in_flight(*sequence))
    }

    fn is_in_flight(&self, sequence: u64) -> bool {
        self.messages.get(&sequence).is_some_and(|message| message.in_flight)
    }

    fn reschedule(&mut self, sequence: u64, time: Timestamp) {
        if let Some(message) = self.messages.get_mut(&sequence) {
            self.waiting.remove(&(message.visible_at, sequence));
            message.visible_at = time;
            self.waiting.insert((time, sequence));
        }
    }

    /// Returns the message's sequence number, or `None` if `receipt` is not from the latest receive. Also checks the
    /// message ID, because sequence numbers can be reused after a restart.
    fn sequence(&self, receipt: &str) -> Result<Option<u64>, Refusal> {
        let mut parts = receipt.splitn(3, '.');
        let mut number = || parts.next()?.parse::<u64>().ok();
        let (sequence, receives) = number().zip(number()).ok_or_else(|| {
            let message = format!("The input receipt handle `{receipt}` is not a valid receipt handle.");
            Refusal::new("ReceiptHandleIsInvalid", message)
        })?;
        let id = parts.next().unwrap_or_default();
        let is_newest = |message: &Message| message.receives == receives && message.id == id;
        Ok(Some(sequence).filter(|sequence| self.messages.get(sequence).is_some_and(is_newest)))
    }
}

fn later(time: Timestamp, by: Duration) -> Timestamp {
    time.saturating_add(by).unwrap_or(Timestamp::MAX)
}

/// Returns a random ID in the format of AWS.
#[expect(clippy::disallowed_methods, reason = "the SQS emulation has no `App`")]
pub(crate) fn uuid() -> String {
    format_uuid(&format!("{:032x}", u128::from(Ulid::from_bytes(rand::random()))))
}

/// Formats the first 32 of these hexadecimal digits as a UUID.
pub(crate) fn format_uuid(hex: &str) -> String {
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..32])
}
