//! Measures each operation: calls, capacity, latency, processor time and follow-up work.

use anyhow::{Context, Result};
use local::bill::Usage;
use serde::Serialize;

use crate::{
    loops::{self, Throughput, once},
    meter::Consumption,
    operations::{self, Kind, Operation},
    processor::CpuTime,
    report::{Table, figure, plus},
    scene::Scene,
    server::Delivered,
};

/// After a write, the user's feeds bypass the cache for this time.
const CACHE_BYPASS: std::time::Duration = std::time::Duration::from_secs(3);

/// Numbers of requests and clients.
#[derive(Clone, Copy, Debug, Serialize, clap::Args)]
pub(crate) struct Load {
    /// Number of timed requests of each kind.
    #[arg(long, default_value_t = 800)]
    pub(crate) requests: usize,
    /// Number of additional requests of each kind, whose AWS calls and capacity units are counted.
    #[arg(long, default_value_t = 10)]
    pub(crate) counted: usize,
    /// Number of timed requests in progress at a time.
    #[arg(long, default_value_t = 8)]
    pub(crate) at_once: usize,
    /// Number of signed-in users.
    #[arg(long, default_value_t = 128)]
    pub(crate) clients: usize,
}

/// Results of one operation, per request.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Measured {
    pub(crate) operation: &'static str,
    pub(crate) throughput: Throughput,
    pub(crate) processor: CpuTime,
    pub(crate) follow_up: CpuTime,
    pub(crate) consumed: Consumption,
    pub(crate) follow_up_consumed: Consumption,
    /// Price of a million requests with their follow-up work, in dollars.
    pub(crate) dollars: f64,
}

/// Measures the operations for which `is_measured` returns true.
pub(crate) async fn measure(
    scene: &Scene,
    load: &Load,
    is_measured: impl Fn(&Operation) -> bool,
) -> Result<Vec<Measured>> {
    let idle = measure_idle(scene).await?;
    let mut measured = Vec::new();
    let mut wrote = true;
    for operation in operations::all().iter().filter(|operation| is_measured(operation)) {
        eprintln!("{} …", operation.name);
        if wrote && operation.kind == Kind::Read {
            tokio::time::sleep(CACHE_BYPASS).await;
        }
        wrote = operation.kind == Kind::Write;
        measured.push(measure_one(scene, load, operation, idle).await.context(operation.name)?);
    }
    Ok(measured)
}

/// Cost of [`Server::settle`](crate::server::Server::settle) if no request left follow-up work.
#[derive(Clone, Copy)]
struct Idle {
    consumed: Consumption,
    delivered: Delivered,
    processor: CpuTime,
}

async fn measure_one(scene: &Scene, load: &Load, operation: &Operation, idle: Idle) -> Result<Measured> {
    let server = &scene.server;
    let count = (load.requests / operation.divisor()).max(1);
    let (consumed, follow_up_consumed, dollars) = count_cost(scene, operation, load.counted, idle).await?;
    let (first, before) = (load.counted, server.cpu_time()?);
    let throughput = loops::run(scene, operation, first..first + count, load.at_once).await?;
    let done = server.cpu_time()?;
    let follow_up = match operation.kind {
        Kind::Read => CpuTime::default(),
        Kind::Write => {
            server.settle().await?;
            (server.cpu_time()? - done).without(idle.processor)
        }
    };
    Ok(Measured {
        operation: operation.name,
        throughput,
        processor: (done - before).per_item(count),
        follow_up: follow_up.per_item(count),
        consumed,
        follow_up_consumed,
        dollars,
    })
}

async fn measure_idle(scene: &Scene) -> Result<Idle> {
    let server = &scene.server;
    server.settle().await?;
    let before = server.cpu_time()?;
    server.settle().await?;
    let processor = server.cpu_time()? - before;
    server.read_meter(true).await?;
    let delivered = server.settle().await?;
    Ok(Idle { consumed: server.read_meter(false).await?, delivered, processor })
}

/// Returns the consumption of a request, the consumption of its follow-up work, and the price of a million requests.
async fn count_cost(
    scene: &Scene,
    operation: &Operation,
    count: usize,
    idle: Idle,
) -> Result<(Consumption, Consumption, f64)> {
    let server = &scene.server;
    // Otherwise the follow-up work of earlier requests would be counted for this operation.
    server.settle().await?;
    server.read_meter(true).await?;
    let mut bytes = 0;
    for number in 0..count {
        bytes += once(scene, operation, number).await?;
    }
    let consumed = server.read_meter(true).await?.per_item(count, Consumption::default());
    let (mut follow_up, mut delivered) = (Consumption::default(), idle.delivered);
    if operation.kind == Kind::Write {
        delivered = server.settle().await?;
        follow_up = server.read_meter(false).await?.per_item(count, idle.consumed);
    }
    server.read_meter(false).await?;
    let per_item = |total: f64, idle: f64| (total - idle).max(0.0) / count.max(1) as f64;
    let usage = Usage {
        requests: 1.0,
        compute: operation.compute,
        emails: operation.emails,
        response_kb: bytes as f64 / 1000.0 / count.max(1) as f64,
        read_units: consumed.read_units + follow_up.read_units,
        write_units: consumed.write_units + follow_up.write_units,
        messages: per_item(delivered.messages, idle.delivered.messages),
        records: per_item(delivered.records, idle.delivered.records),
        events: consumed.events + follow_up.events,
    };
    Ok((consumed, follow_up, usage.dollars_per_million()))
}

/// Returns the table of results. A number after a plus sign is for follow-up work.
pub(crate) fn table(measured: &[Measured]) -> Table {
    let head = [
        "request",
        "per second",
        "p50",
        "p99",
        "CPU ms, function",
        "store",
        "follow-up",
        "calls",
        "RRU",
        "WRU",
        "$ a million",
    ];
    let row = |result: &Measured| {
        vec![
            result.operation.to_owned(),
            figure(result.throughput.per_second, 0),
            figure(result.throughput.latency.p50, 1),
            figure(result.throughput.latency.p99, 1),
            figure(result.processor.function, 2),
            figure(result.processor.store, 2),
            if result.follow_up.total() < 0.005 {
                String::new()
            } else {
                figure(result.follow_up.total(), 2)
            },
            plus(result.consumed.calls, result.follow_up_consumed.calls),
            plus(result.consumed.read_units, result.follow_up_consumed.read_units),
            plus(result.consumed.write_units, result.follow_up_consumed.write_units),
            figure(result.dollars, 2),
        ]
    };
    Table::new("Requests", &head, measured.iter().map(row).collect())
}
