//! Message counts of each queue.

use serde::Serialize;

use super::Queues;

/// Message counts of a queue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct QueueState {
    /// Short name: `liked-add`.
    pub name: String,
    /// Number of messages that can be received.
    pub visible: usize,
    /// Number of messages that were received but not deleted.
    pub in_flight: usize,
    /// Number of delayed messages, which become visible later.
    pub delayed: usize,
    /// Number of messages in the dead-letter queue.
    pub dead: usize,
}

impl Queues {
    /// Returns all queues except dead-letter queues.
    pub(crate) fn queue_states(&self) -> Vec<QueueState> {
        let all = self.states();
        let dead: Vec<_> =
            all.iter().filter_map(|(queue, _)| queue.dead_letters().map(str::to_owned)).collect();
        let count = |name: &str| {
            all.iter().find(|(queue, _)| queue.name == name).map_or(0, |(_, counts)| counts.visible)
        };
        let live = all.iter().filter(|(queue, _)| !dead.contains(&queue.name));
        live.map(|(queue, counts)| QueueState {
            name: queue.name.clone(),
            visible: counts.visible,
            in_flight: counts.in_flight,
            delayed: counts.delayed,
            dead: queue.dead_letters().map_or(0, count),
        })
        .collect()
    }
}
