//! How fast each queue is worked off where a backlog waits, and what each message takes.

use std::{collections::BTreeMap, time::Instant};

use anyhow::{Result, ensure};
use local::Stack;
use serde::{Deserialize, Serialize};

use crate::{
    loops,
    meter::{Asked, Meter},
    operations,
    processor::{Processor, Taken},
    report::{Table, figure},
    scene::Scene,
    serve::Command,
};

/// The stream of the table: what follows from a write comes to queues through it.
const STREAM: &str = "the table's stream";
/// Fewer messages than this say nothing of a pace.
const FEW: usize = 50;
/// The numbers of these requests are none that were asked before.
const FIRST: usize = 100_000;
const AT_ONCE: usize = 8;

/// One queue, worked off.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Drained {
    pub(crate) messages: usize,
    pub(crate) seconds: f64,
    /// Milliseconds, all together.
    pub(crate) processor: Taken,
    pub(crate) asked: Asked,
}

pub(crate) type ByQueue = BTreeMap<String, Drained>;

/// Has many requests of each kind that piles up, and works off what follows.
pub(crate) async fn measure(scene: &Scene, backlog: usize) -> Result<ByQueue> {
    scene.server.settle().await?;
    for operation in operations::all().iter().filter(|it| it.piles_up) {
        eprintln!("a backlog of {} …", operation.name);
        let count = backlog.div_ceil(operation.rarer());
        loops::ask(scene, operation, FIRST..FIRST + count, AT_ONCE).await?;
    }
    scene.server.tell(&Command::Drain).await
}

/// Works off one queue after the other until nothing waits, in the process of the stack. Counting is in the times.
pub(crate) async fn drain(stack: &Stack, meter: &Meter) -> Result<ByQueue> {
    let (mut drained, mut processor) = (ByQueue::new(), Processor::of(std::process::id()));
    meter.read(true);
    loop {
        let mut done = 0;
        for queue in waiting(stack) {
            let (before, start) = (processor.taken()?, Instant::now());
            let messages = match queue.as_str() {
                STREAM => stack.drain_streams().await.delivered,
                queue => {
                    let report = stack.drain(queue).await?;
                    ensure!(report.dead == 0, "{queue}: {report:?}");
                    report.delivered
                }
            };
            let taken = processor.taken()? - before;
            drained.entry(queue).or_default().add(
                messages,
                start.elapsed().as_secs_f64(),
                taken,
                meter.read(true),
            );
            done += messages;
        }
        if done == 0 {
            meter.read(false);
            return Ok(drained);
        }
    }
}

fn waiting(stack: &Stack) -> Vec<String> {
    let queues = stack.queues().into_iter().filter(|it| it.visible > 0 && it.name != "relay-dead-letters");
    [STREAM.to_owned()].into_iter().chain(queues.map(|it| it.name)).collect()
}

impl Drained {
    fn add(&mut self, messages: usize, seconds: f64, taken: Taken, asked: Asked) {
        self.messages += messages;
        self.seconds += seconds;
        self.processor = self.processor.and(taken);
        self.asked = self.asked.and(asked);
    }

    fn each(&self, all: f64) -> f64 {
        all / self.messages.max(1) as f64
    }
}

pub(crate) fn table(drained: &ByQueue) -> Table {
    let many = drained.iter().filter(|(_, it)| it.messages >= FEW);
    let head = ["queue", "messages", "a second", "CPU ms, function", "store", "calls", "RRU", "WRU"];
    let row = |(queue, it): (&String, &Drained)| {
        let asked = it.asked;
        vec![
            queue.clone(),
            it.messages.to_string(),
            figure(it.messages as f64 / it.seconds.max(1e-9), 0),
            figure(it.each(it.processor.function), 2),
            figure(it.each(it.processor.store), 2),
            figure(it.each(asked.calls), 2),
            figure(it.each(asked.read_units), 2),
            figure(it.each(asked.write_units), 2),
        ]
    };
    let title = "Drains: each queue with a backlog, one after the other";
    Table::new(title, &head, many.map(row).collect())
}
