//! Standard queues: delay, visibility, long polling, batches, dead letters.

mod api;
mod attributes;
mod error;
mod queue;

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use jiff::Timestamp;
use tokio::{sync::Notify, time::Instant};

pub(crate) use api::answer;
pub(crate) use attributes::{body_md5, lambda_attributes, system};
pub(crate) use error::Refusal;
use queue::Queue;
pub(crate) use queue::{Counts, Message, NewMessage, Received, uuid};

use crate::{clock::Clock, template};

/// All queues of a stack. One lock for all of them, so that a message moves to its dead letters in one step.
#[derive(Clone)]
pub(crate) struct Queues {
    clock: Clock,
    url: Arc<str>,
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
    pub(crate) fn new(clock: Clock, url: String) -> Self {
        Self { clock, url: url.into(), queues: Arc::default() }
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
        let now = self.clock.now();
        self.with(name, |queue| queue.send(message, now))
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
        let deadline = Instant::now() + wait;
        loop {
            let arrival = self.arrival(name)?;
            let arrived = arrival.notified();
            tokio::pin!(arrived);
            arrived.as_mut().enable();
            let batch = self.receive(name, most, visibility)?;
            if !batch.messages.is_empty() || Instant::now() >= deadline {
                return Ok(batch);
            }
            tokio::select! {
                () = arrived => {}
                () = self.due(name) => {}
                () = tokio::time::sleep_until(deadline) => {}
            }
        }
    }

    /// Waits until a message is visible, and leaves it there.
    pub(crate) async fn until_visible(&self, name: &str) -> Result<(), Refusal> {
        loop {
            let arrival = self.arrival(name)?;
            let arrived = arrival.notified();
            tokio::pin!(arrived);
            arrived.as_mut().enable();
            if self.counts(name)?.visible > 0 {
                return Ok(());
            }
            tokio::select! {
                () = arrived => {}
                () = self.due(name) => {}
            }
        }
    }

    /// Waits until a message of the queue becomes visible with time.
    async fn due(&self, name: &str) {
        match self.with(name, |queue| Ok(queue.next_visible())) {
            Ok(Some(time)) => self.clock.reach(time).await,
            _ => std::future::pending().await,
        }
    }

    fn arrival(&self, name: &str) -> Result<Arc<Notify>, Refusal> {
        self.with(name, |queue| Ok(Arc::clone(&queue.arrival)))
    }

    pub(crate) fn delete(&self, name: &str, receipt: &str) -> Result<(), Refusal> {
        self.with(name, |queue| queue.delete(receipt))
    }

    pub(crate) fn set_visibility(&self, name: &str, receipt: &str, after: Duration) -> Result<(), Refusal> {
        let now = self.clock.now();
        self.with(name, |queue| queue.set_visibility(receipt, after, now))
    }

    pub(crate) fn purge(&self, name: &str) -> Result<(), Refusal> {
        self.with(name, |queue| {
            queue.purge();
            Ok(())
        })
    }

    /// Makes every message in flight visible at once, instead of after its timeout.
    pub(crate) fn hurry(&self, name: &str) -> Result<(), Refusal> {
        let now = self.clock.now();
        self.with(name, |queue| {
            queue.hurry(now);
            Ok(())
        })
    }

    pub(crate) fn counts(&self, name: &str) -> Result<Counts, Refusal> {
        let now = self.clock.now();
        self.with(name, |queue| Ok(queue.counts(now)))
    }

    pub(crate) fn settings(&self, name: &str) -> Result<template::Queue, Refusal> {
        self.with(name, |queue| Ok(queue.settings.clone()))
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

    /// Every message, for keeping on disk.
    pub(crate) fn snapshot(&self) -> BTreeMap<String, Vec<Message>> {
        let kept = |queue: &Queue| queue.messages().cloned().collect();
        self.lock().iter().map(|(name, queue)| (name.clone(), kept(queue))).collect()
    }

    /// Puts kept messages back. Those in flight come again at once; those of queues that are gone are dropped.
    pub(crate) fn restore(&self, kept: BTreeMap<String, Vec<Message>>) {
        let now = self.clock.now();
        let mut queues = self.lock();
        for (name, messages) in kept {
            if let Some(queue) = queues.get_mut(&name) {
                messages.into_iter().for_each(|message| queue.put_back(message));
                queue.hurry(now);
            }
        }
    }

    fn with<T>(&self, name: &str, call: impl FnOnce(&mut Queue) -> Result<T, Refusal>) -> Result<T, Refusal> {
        call(self.lock().get_mut(name).ok_or_else(|| Refusal::no_queue(name))?)
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Queue>> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
