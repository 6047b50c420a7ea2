//! How many messages of each queue are where.

use serde::Serialize;

use super::Queues;

/// How many messages of a queue are where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct QueueState {
    /// The queue's name.
    pub name: String,
    /// Messages that can be received.
    pub visible: usize,
    /// Messages that were received and not yet deleted.
    pub in_flight: usize,
    /// Messages that become visible later.
    pub delayed: usize,
    /// Messages in its dead letters.
    pub dead: usize,
}

impl Queues {
    /// All queues but dead letters.
    pub(crate) fn queue_states(&self) -> Vec<QueueState> {
        let all = self.states();
        let dead: Vec<_> =
            all.iter().filter_map(|(queue, _)| queue.dead_letters().map(str::to_owned)).collect();
        let count = |name: &str| {
            all.iter().find(|(queue, _)| queue.name == name).map_or(0, |(_, counts)| counts.visible)
        };
        let shown = all.iter().filter(|(queue, _)| !dead.contains(&queue.name));
        shown
            .map(|(queue, counts)| QueueState {
                name: queue.name.clone(),
                visible: counts.visible,
                in_flight: counts.in_flight,
                delayed: counts.delayed,
                dead: queue.dead_letters().map_or(0, count),
            })
            .collect()
    }
}
