//! Standard SQS queues with delays, visibility timeouts, long polling, batches and dead-letter queues.

mod api;
mod attributes;
mod error;
mod message;
mod queue;
mod states;
mod storage;

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

pub(crate) use api::{answer, name_in_url};
pub(crate) use attributes::{body_md5, lambda_attributes, system};
pub(crate) use error::Refusal;
use jiff::Timestamp;
pub(crate) use message::{Message, NewMessage, Received};
use queue::Queue;
pub(crate) use queue::{Counts, format_uuid, uuid};
pub use states::QueueState;

use crate::{
    clock::Clock,
    disk::{Disk, SaveFailed},
    lock::lock,
    template,
};

/// All queues of a stack. They share one lock, so that a message moves between queues atomically.
#[derive(Clone)]
pub(crate) struct Queues {
    clock: Clock,
    url: Arc<str>,
    disk: Disk,
    queues: Arc<Mutex<BTreeMap<String, Queue>>>,
}

#[derive(Default)]
pub(crate) struct Batch {
    /// Received messages, which are now in flight.
    pub(crate) messages: Vec<Received>,
    pub(crate) dead: usize,
}

impl Queues {
    pub(crate) fn new(clock: Clock, url: String, disk: Disk) -> Self {
        Self { clock, url: url.into(), disk, queues: Arc::default() }
    }

    /// Creates a queue, or updates the settings of an existing queue. Returns the queue's URL.
    pub(crate) fn create(&self, settings: template::Queue) -> String {
        let name = settings.name.clone();
        self.lock().entry(name.clone()).or_default().settings = settings;
        self.url(&name)
    }

    pub(crate) fn send(&self, name: &str, message: NewMessage) -> Result<Message, Refusal> {
        self.with_queue(name, |queue, now| queue.send(message, now))
    }

    /// Sends messages to the named queues. A refused message is logged and does not affect other messages.
    pub(crate) fn send_each(&self, messages: Vec<(String, NewMessage)>) -> Result<(), SaveFailed> {
        let now = self.clock.now();
        let mut queues = self.lock();
        for (name, message) in messages {
            if let Err(refusal) = find(&mut queues, &name).and_then(|queue| queue.send(message, now)) {
                tracing::error!(%refusal, name, "failed to send a message to its queue");
            }
        }
        storage::write(&self.disk, queues.values_mut())
    }

    /// Keeps only one visible message with this body, and removes the duplicates.
    pub(crate) fn remove_duplicates(&self, name: &str, body: &str) {
        self.lock().get_mut(name).into_iter().for_each(|queue| queue.remove_duplicates(body));
    }

    /// Receives up to `max` visible messages without waiting.
    pub(crate) fn receive(
        &self,
        name: &str,
        max: usize,
        visibility: Option<Duration>,
    ) -> Result<Batch, Refusal> {
        let now = self.clock.now();
        let mut queues = self.lock();
        let queue = find(&mut queues, name)?;
        let (messages, dead) = queue.receive(max, visibility, now);
        let target = queue.settings.dead_letters().map(str::to_owned);
        let batch = Batch { messages, dead: dead.len() };
        if let Some(queue) = target.and_then(|target| queues.get_mut(&target)) {
            dead.into_iter().for_each(|message| queue.add_moved(message, now));
        }
        storage::write(&self.disk, queues.values_mut())?;
        Ok(batch)
    }

    /// Receives up to `max` visible messages. If there are none, waits up to `wait` for the first message.
    pub(crate) async fn receive_within(
        &self,
        name: &str,
        max: usize,
        visibility: Option<Duration>,
        wait: Duration,
    ) -> Result<Batch, Refusal> {
        let received = self.wait_for(name, || {
            let batch = self.receive(name, max, visibility)?;
            Ok(Some(batch).filter(|batch| !batch.messages.is_empty()))
        });
        match tokio::time::timeout(wait, received).await {
            Ok(batch) => batch,
            Err(_) => self.receive(name, max, visibility),
        }
    }

    pub(crate) async fn wait_until_visible(&self, name: &str) -> Result<(), Refusal> {
        self.wait_for(name, || Ok((self.counts(name)?.visible > 0).then_some(()))).await
    }

    /// Calls `find` now, and again whenever a message becomes visible, until `find` returns a value.
    async fn wait_for<T>(
        &self,
        name: &str,
        find: impl Fn() -> Result<Option<T>, Refusal>,
    ) -> Result<T, Refusal> {
        loop {
            let arrival = self.with_queue(name, |queue, _| Ok(Arc::clone(&queue.arrival)))?;
            let arrived = arrival.notified();
            tokio::pin!(arrived);
            arrived.as_mut().enable();
            if let Some(found) = find()? {
                return Ok(found);
            }
            tokio::select! {
                () = arrived => {}
                () = self.wait_until_due(name) => {}
            }
        }
    }

    /// Waits until the next delayed or in-flight message of a queue becomes visible.
    async fn wait_until_due(&self, name: &str) {
        match self.with_queue(name, |queue, _| Ok(queue.next_visible())) {
            Ok(Some(time)) => self.clock.reach(time).await,
            _ => std::future::pending().await,
        }
    }

    pub(crate) fn delete(&self, name: &str, done: &[Received]) -> Result<(), Refusal> {
        self.with_queue(name, |queue, _| done.iter().try_for_each(|message| queue.delete(&message.receipt)))
    }

    /// Makes all messages in flight visible, without waiting for their timeouts.
    pub(crate) fn expire_visibility(&self, name: &str) -> Result<(), Refusal> {
        self.with_queue(name, |queue, now| {
            queue.expire_visibility(now);
            Ok(())
        })
    }

    pub(crate) fn counts(&self, name: &str) -> Result<Counts, Refusal> {
        self.with_queue(name, |queue, now| Ok(queue.counts(now)))
    }

    pub(crate) fn settings(&self, name: &str) -> Result<template::Queue, Refusal> {
        self.with_queue(name, |queue, _| Ok(queue.settings.clone()))
    }

    /// Returns the oldest messages of a queue without receiving them.
    pub(crate) fn peek(&self, name: &str, max: usize) -> Result<Vec<Message>, Refusal> {
        self.with_queue(name, |queue, _| Ok(queue.messages().take(max).cloned().collect()))
    }

    /// Moves the dead letters of a queue back to the queue. Returns the number of moved messages.
    pub(crate) fn redrive(&self, name: &str) -> Result<usize, Refusal> {
        let now = self.clock.now();
        let source = self.settings(name)?.dead_letters().map(str::to_owned).unwrap_or_default();
        let mut queues = self.lock();
        let moved = find(&mut queues, &source)?.take_visible(now);
        let (queue, count) = (find(&mut queues, name)?, moved.len());
        moved.into_iter().for_each(|message| queue.add_moved(message, now));
        storage::write(&self.disk, queues.values_mut())?;
        Ok(count)
    }

    pub(crate) fn names(&self) -> Vec<String> {
        self.lock().keys().cloned().collect()
    }

    pub(crate) fn url(&self, name: &str) -> String {
        format!("{}/{name}", self.url)
    }

    /// Returns the time when the next message of any queue becomes visible, or `None`.
    pub(crate) fn next_visible(&self) -> Option<Timestamp> {
        self.lock().values().filter_map(Queue::next_visible).min()
    }

    pub(crate) fn states(&self) -> Vec<(template::Queue, Counts)> {
        let now = self.clock.now();
        self.lock().values_mut().map(|queue| (queue.settings.clone(), queue.counts(now))).collect()
    }

    pub(crate) fn promote(&self) {
        self.states();
    }

    /// Restores messages from the disk. Deletes the messages of queues that no longer exist.
    pub(crate) fn restore(&self) -> anyhow::Result<()> {
        storage::restore(&self.disk, &mut self.lock())
    }

    /// Runs `call` on a queue, and saves the queue's changes.
    fn with_queue<T>(
        &self,
        name: &str,
        call: impl FnOnce(&mut Queue, Timestamp) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let now = self.clock.now();
        let mut queues = self.lock();
        let queue = find(&mut queues, name)?;
        let result = call(queue, now);
        storage::write(&self.disk, [queue])?;
        result
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Queue>> {
        lock(&self.queues)
    }
}

fn find<'a>(queues: &'a mut BTreeMap<String, Queue>, name: &str) -> Result<&'a mut Queue, Refusal> {
    queues.get_mut(name).ok_or_else(|| Refusal::no_queue(name))
}
