//! Delivers outboxes: messages and events in tens, each counter once.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use futures::future::join_all;

use super::{Counter, Outbox};
use crate::{
    App,
    bus::Publication,
    error::Result,
    queues::{QueueName, Refused},
    table::{Key, Write},
};

/// The positions of outboxes of which something was not delivered.
#[derive(Debug, Default)]
pub struct Undelivered {
    /// Something was refused that may be accepted later.
    pub again: BTreeSet<usize>,
    /// Something was refused that will never be accepted.
    pub never: BTreeSet<usize>,
}

/// Delivers outboxes together, each at least once, and returns those of which something was refused. The cause is in
/// the log.
pub async fn deliver(app: &App, outboxes: &[Outbox]) -> Undelivered {
    let (refused, unpublished, unraised) =
        futures::join!(send(app, outboxes), publish(app, outboxes), raise(app, outboxes));
    let mut undelivered = Undelivered::default();
    undelivered.again.extend(unpublished.into_iter().chain(unraised));
    for Refused { position, for_good } in refused {
        let positions = if for_good { &mut undelivered.never } else { &mut undelivered.again };
        positions.insert(position);
    }
    undelivered
}

/// Returns what was refused, by the positions of the outboxes.
async fn send(app: &App, outboxes: &[Outbox]) -> Vec<Refused> {
    let mut queues: BTreeMap<QueueName, (Vec<usize>, Vec<String>)> = BTreeMap::new();
    for (position, outbox) in outboxes.iter().enumerate() {
        for message in &outbox.send {
            let (positions, bodies) = queues.entry(message.queue).or_default();
            positions.push(position);
            bodies.push(message.body.to_string());
        }
    }
    let sent = queues.into_iter().map(async |(queue, (positions, bodies))| {
        let refused = app.queues.send_all(queue, &bodies).await.into_iter();
        let of_outbox = |it: Refused| Some(Refused { position: *positions.get(it.position)?, ..it });
        refused.filter_map(of_outbox).collect::<Vec<_>>()
    });
    join_all(sent).await.concat()
}

async fn publish(app: &App, outboxes: &[Outbox]) -> Vec<usize> {
    let (mut positions, mut publications) = (Vec::new(), Vec::new());
    for (position, outbox) in outboxes.iter().enumerate() {
        for (number, event) in outbox.publish.iter().enumerate() {
            let id = format!("{}-{number}", outbox.id);
            positions.push(position);
            publications.push(Publication::new(&event.name, &event.detail, id));
        }
    }
    let refused = app.bus.publish_all(&publications).await;
    refused.into_iter().filter_map(|it| positions.get(it).copied()).collect()
}

async fn raise(app: &App, outboxes: &[Outbox]) -> Vec<usize> {
    let mut counters: HashMap<&Counter, Vec<usize>> = HashMap::new();
    for (position, outbox) in outboxes.iter().enumerate() {
        for counter in &outbox.raise {
            counters.entry(counter).or_default().push(position);
        }
    }
    let raised = counters.into_iter().map(async |(counter, positions)| match raise_one(app, counter).await {
        Ok(()) => Vec::new(),
        Err(error) => {
            tracing::error!(counter = counter.name, "a counter was not raised: {error:?}");
            positions
        }
    });
    join_all(raised).await.concat()
}

async fn raise_one(app: &App, Counter { pk, sk, name }: &Counter) -> Result<()> {
    app.table.write(Write::update(Key::new(pk, sk)).add(name, 1)).await
}
