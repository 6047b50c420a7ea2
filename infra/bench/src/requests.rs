//! Each operation in turn: what it asks of the table, how fast it is, what follows from it.

use anyhow::{Context, Result};
use local::bill::Usage;
use serde::Serialize;

use crate::{
    loops::{self, Looped, once},
    meter::Asked,
    operations::{self, Kind, Operation},
    processor::Taken,
    report::{Table, figure, plus},
    scene::Scene,
    server::Delivered,
};

/// After so long nobody counts as somebody who has just written: they have feeds read anew.
const WRITING: std::time::Duration = std::time::Duration::from_secs(3);

/// How much is asked.
#[derive(Clone, Copy, Debug, Serialize, clap::Args)]
pub(crate) struct Load {
    /// Requests of each kind in closed loops.
    #[arg(long, default_value_t = 800)]
    pub(crate) requests: usize,
    /// How many are counted, apart from those that are timed.
    #[arg(long, default_value_t = 10)]
    pub(crate) counted: usize,
    /// Clients of these loops.
    #[arg(long, default_value_t = 8)]
    pub(crate) at_once: usize,
    /// People who are signed in.
    #[arg(long, default_value_t = 128)]
    pub(crate) clients: usize,
}

/// One operation, measured.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Measured {
    pub(crate) operation: &'static str,
    pub(crate) looped: Looped,
    /// Milliseconds of a request.
    pub(crate) processor: Taken,
    /// Milliseconds of what follows from it.
    pub(crate) follows: Taken,
    pub(crate) asked: Asked,
    pub(crate) follows_asked: Asked,
    pub(crate) dollars: f64,
}

/// Measures some operations.
pub(crate) async fn measure(
    scene: &Scene,
    load: &Load,
    is_measured: impl Fn(&Operation) -> bool,
) -> Result<Vec<Measured>> {
    let idle = idle(scene).await?;
    let mut measured = Vec::new();
    let mut wrote = true;
    for operation in operations::all().iter().filter(|it| is_measured(it)) {
        eprintln!("{} …", operation.name);
        if wrote && operation.kind == Kind::Read {
            tokio::time::sleep(WRITING).await;
        }
        wrote = operation.kind == Kind::Write;
        measured.push(one(scene, load, operation, idle).await.context(operation.name)?);
    }
    Ok(measured)
}

/// What settling takes where nothing happened.
#[derive(Clone, Copy)]
struct Idle {
    asked: Asked,
    delivered: Delivered,
    taken: Taken,
}

async fn one(scene: &Scene, load: &Load, operation: &Operation, idle: Idle) -> Result<Measured> {
    let server = &scene.server;
    let count = (load.requests / operation.rarer()).max(1);
    let (asked, follows_asked, dollars) = counted(scene, operation, load.counted, idle).await?;
    let (first, before) = (load.counted, server.taken()?);
    let looped = loops::ask(scene, operation, first..first + count, load.at_once).await?;
    let done = server.taken()?;
    let settled = match operation.kind {
        Kind::Read => done,
        Kind::Write => {
            server.settle().await?;
            server.taken()?
        }
    };
    let idle = if operation.kind == Kind::Write { idle.taken } else { Taken::default() };
    let (processor, follows) = ((done - before).each(count), (settled - done).without(idle).each(count));
    Ok(Measured { operation: operation.name, looped, processor, follows, asked, follows_asked, dollars })
}

async fn idle(scene: &Scene) -> Result<Idle> {
    let server = &scene.server;
    server.settle().await?;
    let before = server.taken()?;
    server.settle().await?;
    let taken = server.taken()? - before;
    server.asked(true).await?;
    let delivered = server.settle().await?;
    Ok(Idle { asked: server.asked(false).await?, delivered, taken })
}

/// What a request asks, what follows from it asks, and the dollars for a million of both.
async fn counted(
    scene: &Scene,
    operation: &Operation,
    count: usize,
    idle: Idle,
) -> Result<(Asked, Asked, f64)> {
    let server = &scene.server;
    server.asked(true).await?;
    let mut bytes = 0;
    for number in 0..count {
        bytes += once(scene, operation, number).await?;
    }
    let asked = server.asked(true).await?.each(count, Asked::default());
    let (mut follows, mut delivered) = (Asked::default(), idle.delivered);
    if operation.kind == Kind::Write {
        delivered = server.settle().await?;
        follows = server.asked(false).await?.each(count, idle.asked);
    }
    server.asked(false).await?;
    let each = |all: f64, idle: f64| (all - idle).max(0.0) / count.max(1) as f64;
    let usage = Usage {
        requests: 1.0,
        answered_kb: bytes as f64 / 1000.0 / count.max(1) as f64,
        read_units: asked.read_units + follows.read_units,
        write_units: asked.write_units + follows.write_units,
        messages: each(delivered.messages, idle.delivered.messages),
        records: each(delivered.records, idle.delivered.records),
        events: asked.events + follows.events,
    };
    Ok((asked, follows, usage.dollars_a_million()))
}

/// What follows stands behind a plus.
pub(crate) fn table(measured: &[Measured]) -> Table {
    let head = [
        "request",
        "a second",
        "p50",
        "p99",
        "CPU ms, function",
        "store",
        "follows",
        "calls",
        "RRU",
        "WRU",
        "$ a million",
    ];
    let row = |it: &Measured| {
        vec![
            it.operation.to_owned(),
            figure(it.looped.per_second, 0),
            figure(it.looped.took.p50, 1),
            figure(it.looped.took.p99, 1),
            figure(it.processor.function, 2),
            figure(it.processor.store, 2),
            if it.follows.together() < 0.005 { String::new() } else { figure(it.follows.together(), 2) },
            plus(it.asked.calls, it.follows_asked.calls),
            plus(it.asked.read_units, it.follows_asked.read_units),
            plus(it.asked.write_units, it.follows_asked.write_units),
            figure(it.dollars, 2),
        ]
    };
    Table::new("Requests", &head, measured.iter().map(row).collect())
}
