//! Measures how fast the backlog of each queue is processed, and the cost per message.

use std::{collections::BTreeMap, time::Instant};

use anyhow::{Result, ensure};
use local::Stack;
use serde::{Deserialize, Serialize};

use crate::{
    loops,
    meter::{Consumption, Meter},
    operations,
    processor::{CpuTime, Processor},
    report::{Table, figure},
    scene::Scene,
    serve::Command,
};

/// Name of the table's stream in the results.
const STREAM: &str = "relay";
/// Minimum number of messages for a queue to appear in the printed table.
const MESSAGES_MIN: usize = 50;
/// Number of the first request of this phase. Other phases of the benchmark use lower numbers.
const FIRST: usize = 100_000;
const CONCURRENCY: usize = 8;

/// Totals of one queue.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Drained {
    pub(crate) messages: usize,
    pub(crate) seconds: f64,
    pub(crate) processor: CpuTime,
    pub(crate) consumed: Consumption,
}

pub(crate) type ByQueue = BTreeMap<String, Drained>;

/// Sends requests to fill the queues. Then drains all queues, and returns the totals of each queue.
pub(crate) async fn measure(scene: &Scene, backlog: usize) -> Result<ByQueue> {
    scene.server.settle().await?;
    for operation in operations::all().iter().filter(|operation| operation.builds_backlog) {
        eprintln!("a backlog of {} …", operation.name);
        let count = backlog.div_ceil(operation.divisor());
        loops::run(scene, operation, FIRST..FIRST + count, CONCURRENCY).await?;
    }
    scene.server.send(&Command::Drain).await
}

/// Drains the queues one by one until all are empty, and returns the totals of each queue. The times include the
/// overhead of `meter`.
pub(crate) async fn drain(stack: &Stack, meter: &Meter) -> Result<ByQueue> {
    let (mut drained, mut processor) = (ByQueue::new(), Processor::of(std::process::id()));
    meter.read(true);
    loop {
        let mut delivered = 0;
        for queue in queues_with_messages(stack) {
            let (before, start) = (processor.cpu_time()?, Instant::now());
            let messages = match queue.as_str() {
                STREAM => stack.drain_streams().await.delivered,
                queue => {
                    let report = stack.drain(queue).await?;
                    ensure!(report.dead == 0, "{queue}: {report:?}");
                    report.delivered
                }
            };
            let used = processor.cpu_time()? - before;
            drained.entry(queue).or_default().add(
                messages,
                start.elapsed().as_secs_f64(),
                used,
                meter.read(true),
            );
            delivered += messages;
        }
        if delivered == 0 {
            meter.read(false);
            return Ok(drained);
        }
    }
}

fn queues_with_messages(stack: &Stack) -> Vec<String> {
    let queues =
        stack.queues().into_iter().filter(|queue| queue.visible > 0 && queue.name != "relay-dead-letters");
    [STREAM.to_owned()].into_iter().chain(queues.map(|queue| queue.name)).collect()
}

impl Drained {
    fn add(&mut self, messages: usize, seconds: f64, used: CpuTime, consumed: Consumption) {
        self.messages += messages;
        self.seconds += seconds;
        self.processor = self.processor.plus(used);
        self.consumed = self.consumed.plus(consumed);
    }

    fn per_message(&self, total: f64) -> f64 {
        total / self.messages.max(1) as f64
    }
}

pub(crate) fn table(drained: &ByQueue) -> Table {
    let measured = drained.iter().filter(|(_, totals)| totals.messages >= MESSAGES_MIN);
    let head = ["queue", "messages", "per second", "CPU ms, function", "store", "calls", "RRU", "WRU"];
    let row = |(queue, totals): (&String, &Drained)| {
        let consumed = totals.consumed;
        vec![
            queue.clone(),
            totals.messages.to_string(),
            figure(totals.messages as f64 / totals.seconds.max(1e-9), 0),
            figure(totals.per_message(totals.processor.function), 2),
            figure(totals.per_message(totals.processor.store), 2),
            figure(totals.per_message(consumed.calls), 2),
            figure(totals.per_message(consumed.read_units), 2),
            figure(totals.per_message(consumed.write_units), 2),
        ]
    };
    let title = "Queues with a backlog, one after the other";
    Table::new(title, &head, measured.map(row).collect())
}
