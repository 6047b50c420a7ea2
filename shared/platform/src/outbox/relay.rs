//! Delivers outboxes. Sends messages and events in batches of ten, and increments each counter once.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use futures::future::join_all;

use super::{Counter, Outbox};
use crate::{
    App, Key, QueueName, Result, Write,
    bus::Publication,
    refused::{Cause, Refused},
    request_id,
};

/// Indexes of the outboxes that were not fully delivered.
#[derive(Debug, Default)]
pub struct Undelivered {
    /// Outboxes for which a retry may succeed.
    pub again: BTreeSet<usize>,
    /// Outboxes with a part for which a limit of AWS was exceeded. A retry may succeed.
    pub throttled: BTreeSet<usize>,
    /// Outboxes for which no retry can succeed.
    pub never: BTreeSet<usize>,
}

/// Delivers each outbox at least once. Returns the outboxes that were not fully delivered, and logs the causes.
pub async fn deliver(app: &App, outboxes: &[Outbox]) -> Undelivered {
    let (refused, unpublished, unraised) =
        futures::join!(send(app, outboxes), publish(app, outboxes), raise(app, outboxes));
    let mut undelivered = Undelivered::default();
    for Refused { position, cause } in refused.into_iter().chain(unpublished).chain(unraised) {
        let positions = match cause {
            Cause::Failed => &mut undelivered.again,
            Cause::Throttled => &mut undelivered.throttled,
            Cause::Invalid => &mut undelivered.never,
        };
        positions.insert(position);
    }
    undelivered
}

/// Sends the messages of the outboxes. Returns the refused messages, each with the index of its outbox.
async fn send(app: &App, outboxes: &[Outbox]) -> Vec<Refused> {
    let mut queues: BTreeMap<QueueName, (Vec<usize>, Vec<String>)> = BTreeMap::new();
    for (position, outbox) in outboxes.iter().enumerate() {
        for message in &outbox.send {
            let (positions, bodies) = queues.entry(message.queue).or_default();
            positions.push(position);
            let mut body = message.body.clone();
            request_id::add(outbox.request(), &mut body);
            bodies.push(body.to_string());
        }
    }
    let sent = queues.into_iter().map(async |(queue, (positions, bodies))| {
        with_outboxes(app.queues.send_all(queue, &bodies).await, &positions)
    });
    join_all(sent).await.concat()
}

/// Publishes the events of the outboxes. Returns the refused events, each with the index of its outbox.
async fn publish(app: &App, outboxes: &[Outbox]) -> Vec<Refused> {
    let (mut positions, mut publications) = (Vec::new(), Vec::new());
    for (position, outbox) in outboxes.iter().enumerate() {
        for (number, event) in outbox.publish.iter().enumerate() {
            let id = format!("{}-{number}", outbox.id);
            let mut detail = event.detail.clone();
            request_id::add(outbox.request(), &mut detail);
            positions.push(position);
            publications.push(Publication::new(&event.name, detail, id));
        }
    }
    with_outboxes(app.bus.publish_all(&publications).await, &positions)
}

/// Replaces the index of each refused message or event by the index of its outbox, which is in `positions`.
fn with_outboxes(refused: Vec<Refused>, positions: &[usize]) -> Vec<Refused> {
    let with_outbox = |one: Refused| Some(Refused { position: *positions.get(one.position)?, ..one });
    refused.into_iter().filter_map(with_outbox).collect()
}

/// Increments the counters of the outboxes. Returns the outboxes whose counter could not be incremented.
async fn raise(app: &App, outboxes: &[Outbox]) -> Vec<Refused> {
    let mut counters: HashMap<&Counter, Vec<usize>> = HashMap::new();
    for (position, outbox) in outboxes.iter().enumerate() {
        for counter in &outbox.raise {
            counters.entry(counter).or_default().push(position);
        }
    }
    let raised = counters.into_iter().map(async |(counter, positions)| match raise_one(app, counter).await {
        Ok(()) => Vec::new(),
        Err(error) => {
            tracing::error!(counter = counter.name, "failed to increment a counter: {error:?}");
            let cause = Cause::of_error(&error);
            positions.into_iter().map(|position| Refused { position, cause }).collect()
        }
    });
    join_all(raised).await.concat()
}

async fn raise_one(app: &App, Counter { pk, sk, name }: &Counter) -> Result<()> {
    app.table.write(Write::update(Key::new(pk, sk)).add(name, 1)).await
}
