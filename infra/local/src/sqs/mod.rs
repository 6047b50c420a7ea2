//! Standard queues: delay, visibility, long polling, batches, dead letters.

mod api;
mod attributes;
mod error;
mod kept;
mod message;
mod queue;
mod states;

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

pub(crate) use api::answer;
pub(crate) use attributes::{body_md5, lambda_attributes, system};
pub(crate) use error::Refusal;
use jiff::Timestamp;
pub(crate) use message::{Message, NewMessage, Received};
use queue::Queue;
pub(crate) use queue::{Counts, uuid};
pub use states::QueueState;

use crate::{
    clock::Clock,
    disk::{Disk, Unwritten},
    template,
};

/// All queues of a stack. One lock for all of them, so that a message moves to its dead letters in one step.
#[derive(Clone)]
pub(crate) struct Queues {
    clock: Clock,
    url: Arc<str>,
    disk: Disk,
    queues: Arc<Mutex<BTreeMap<String, Queue>>>,
}

/// What one receive gave: messages in flight, and how many were moved to the dead letters instead.
#[derive(Default)]
pub(crate) struct Batch {
    pub(crate) messages: Vec<Received>,
    pub(crate) dead: usize,
}

impl Queues {
    /// `url` is what queue addresses begin with.
    pub(crate) fn new(clock: Clock, url: String, disk: Disk) -> Self {
        Self { clock, url: url.into(), disk, queues: Arc::default() }
    }

    /// Makes the queue, or gives the one of that name its new settings.
    pub(crate) fn create(&self, settings: template::Queue) -> String {
        let name = settings.name.clone();
        let url = format!("{}/{name}", self.url);
        let mut queues = self.lock();
        match queues.get_mut(&name) {
            Some(queue) => queue.settings = settings,
            None => {
                queues.insert(name, Queue::new(settings));
            }
        }
        url
    }

    pub(crate) fn send(&self, name: &str, message: NewMessage) -> Result<Message, Refusal> {
        self.with(name, |queue, now| queue.send(message, now))
    }

    /// Sends each to its queue, all of them at once; one that is refused does not hold back the others.
    pub(crate) fn send_each(&self, messages: Vec<(String, NewMessage)>) -> Result<(), Unwritten> {
        let now = self.clock.now();
        let mut queues = self.lock();
        for (name, message) in messages {
            let queue = queues.get_mut(&name).ok_or_else(|| Refusal::no_queue(&name));
            if let Err(refusal) = queue.and_then(|queue| queue.send(message, now)) {
                tracing::error!(%refusal, name, "a message did not reach its queue");
            }
        }
        kept::write(&self.disk, queues.values_mut())
    }

    /// Removes all visible messages with this body but one.
    pub(crate) fn keep_one(&self, name: &str, body: &str) {
        self.lock().get_mut(name).into_iter().for_each(|queue| queue.keep_one(body));
    }

    /// Takes what is visible, at once.
    pub(crate) fn receive(
        &self,
        name: &str,
        most: usize,
        visibility: Option<Duration>,
    ) -> Result<Batch, Refusal> {
        let now = self.clock.now();
        let mut queues = self.lock();
        let queue = queues.get_mut(name).ok_or_else(|| Refusal::no_queue(name))?;
        let (messages, dead) = queue.receive(most, visibility, now);
        let target = queue.settings.dead_letters().map(str::to_owned);
        let batch = Batch { messages, dead: dead.len() };
        if let Some(letters) = target.and_then(|target| queues.get_mut(&target)) {
            dead.into_iter().for_each(|message| letters.bury(message, now));
        }
        kept::write(&self.disk, queues.values_mut())?;
        Ok(batch)
    }

    /// Takes what is visible; waits for the first message if there is none.
    pub(crate) async fn receive_within(
        &self,
        name: &str,
        most: usize,
        visibility: Option<Duration>,
        wait: Duration,
    ) -> Result<Batch, Refusal> {
        let taken = self.until(name, || {
            let batch = self.receive(name, most, visibility)?;
            Ok(Some(batch).filter(|it| !it.messages.is_empty()))
        });
        match tokio::time::timeout(wait, taken).await {
            Ok(batch) => batch,
            Err(_) => self.receive(name, most, visibility),
        }
    }

    /// Waits until a message is visible, and leaves it there.
    pub(crate) async fn until_visible(&self, name: &str) -> Result<(), Refusal> {
        self.until(name, || Ok((self.counts(name)?.visible > 0).then_some(()))).await
    }

    /// Looks at a queue again with each message that arrives or becomes visible, until there is what it looks for.
    async fn until<T>(
        &self,
        name: &str,
        look: impl Fn() -> Result<Option<T>, Refusal>,
    ) -> Result<T, Refusal> {
        loop {
            let arrival = self.with(name, |queue, _| Ok(Arc::clone(&queue.arrival)))?;
            let arrived = arrival.notified();
            tokio::pin!(arrived);
            arrived.as_mut().enable();
            if let Some(found) = look()? {
                return Ok(found);
            }
            tokio::select! {
                () = arrived => {}
                () = self.due(name) => {}
            }
        }
    }

    /// Waits until a message of the queue becomes visible with time.
    async fn due(&self, name: &str) {
        match self.with(name, |queue, _| Ok(queue.next_visible())) {
            Ok(Some(time)) => self.clock.reach(time).await,
            _ => std::future::pending().await,
        }
    }

    /// Deletes messages that were received.
    pub(crate) fn delete(&self, name: &str, done: &[Received]) -> Result<(), Refusal> {
        self.with(name, |queue, _| done.iter().try_for_each(|it| queue.delete(&it.receipt)))
    }

    /// Makes every message in flight visible at once, instead of after its timeout.
    pub(crate) fn hurry(&self, name: &str) -> Result<(), Refusal> {
        self.with(name, |queue, now| {
            queue.hurry(now);
            Ok(())
        })
    }

    pub(crate) fn counts(&self, name: &str) -> Result<Counts, Refusal> {
        self.with(name, |queue, now| Ok(queue.counts(now)))
    }

    pub(crate) fn settings(&self, name: &str) -> Result<template::Queue, Refusal> {
        self.with(name, |queue, _| Ok(queue.settings.clone()))
    }

    /// Returns the oldest messages of a queue, and takes none of them.
    pub(crate) fn look(&self, name: &str, most: usize) -> Result<Vec<Message>, Refusal> {
        self.with(name, |queue, _| Ok(queue.messages().take(most).cloned().collect()))
    }

    /// Moves the dead letters of a queue back to it, and returns how many there were.
    pub(crate) fn redrive(&self, name: &str) -> Result<usize, Refusal> {
        let now = self.clock.now();
        let letters = self.settings(name)?.dead_letters().map(str::to_owned).unwrap_or_default();
        let mut queues = self.lock();
        let letters = queues.get_mut(&letters).ok_or_else(|| Refusal::no_queue(&letters))?;
        let moved = letters.take_visible(now);
        let (queue, count) = (queues.get_mut(name).ok_or_else(|| Refusal::no_queue(name))?, moved.len());
        moved.into_iter().for_each(|message| queue.bury(message, now));
        kept::write(&self.disk, queues.values_mut())?;
        Ok(count)
    }

    pub(crate) fn names(&self) -> Vec<String> {
        self.lock().keys().cloned().collect()
    }

    pub(crate) fn url(&self, name: &str) -> String {
        format!("{}/{name}", self.url)
    }

    /// The next time at which a message that waits becomes visible.
    pub(crate) fn next_visible(&self) -> Option<Timestamp> {
        self.lock().values().filter_map(Queue::next_visible).min()
    }

    /// Each queue and where its messages are.
    pub(crate) fn states(&self) -> Vec<(template::Queue, Counts)> {
        let now = self.clock.now();
        self.lock().values_mut().map(|queue| (queue.settings.clone(), queue.counts(now))).collect()
    }

    /// Makes visible what time has made so.
    pub(crate) fn promote(&self) {
        self.states();
    }

    /// Puts kept messages back. Those of queues that are gone are dropped.
    pub(crate) fn restore(&self) -> anyhow::Result<()> {
        kept::restore(&self.disk, &mut self.lock())
    }

    /// Calls a queue. What it changed is kept when this returns, and a failure says so.
    fn with<T>(
        &self,
        name: &str,
        call: impl FnOnce(&mut Queue, Timestamp) -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let now = self.clock.now();
        let mut queues = self.lock();
        let queue = queues.get_mut(name).ok_or_else(|| Refusal::no_queue(name))?;
        let done = call(queue, now);
        kept::write(&self.disk, [queue])?;
        done
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Queue>> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
