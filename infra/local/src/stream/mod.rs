//! Streams of tables: what is written is noted in a journal, and handed to the functions that want to know of it.
//!
//! [`Journal`] stands around every write. Each event-source mapping has its [`Backlog`] of the journal, and a
//! [`Mapping`] that calls its function. [`Streams`] are all of them.

mod answer;
mod backlog;
mod chaos;
mod filter;
mod given_up;
mod journal;
mod kept;
mod mapping;
mod places;
mod record;
mod settling;
mod state;
#[cfg(test)]
mod tests;
mod written;

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use anyhow::{Context, Result};
use backlog::Backlog;
use filter::Filters;
use given_up::Destination;
pub(crate) use journal::Journal;
use journal::Watched;
pub(crate) use mapping::Mapping;
use record::Stream;
pub(crate) use settling::Patience;
pub use settling::StreamReport;
use sha2::{Digest, Sha256};
pub use state::StreamState;
use tokio::{sync::RwLock, task::JoinSet};
pub(crate) use written::Writes;

use crate::{
    account::{ACCOUNT, REGION},
    clock::Clock,
    disk::Disk,
    functions::StreamWork,
    iam::Iam,
    recorder::Watch,
    s3::Objects,
    sqs::Queues,
    template::{self, Function, StreamSource, Table},
    worker::cores,
};

const PAUSE_MIN: Duration = Duration::from_millis(25);
const PAUSE_MAX: Duration = Duration::from_secs(1);

/// What connects a stream to its function.
pub(crate) struct Connector {
    pub(crate) journal: Arc<Journal>,
    pub(crate) objects: Objects,
    pub(crate) queues: Queues,
    pub(crate) clock: Clock,
}

/// All mappings of streams.
#[derive(Clone)]
pub(crate) struct Streams(pub(crate) Arc<[Mapping]>);

/// Has the journal of a template's tables, with what was left in it.
///
/// # Errors
/// A mapping wants what the local stack does not have, or the disk cannot be read.
pub(crate) fn journal(
    tables: &[Table],
    functions: &BTreeMap<String, Function>,
    clock: &Clock,
    disk: &Disk,
) -> Result<Journal> {
    let mut watched: BTreeMap<&str, Watched> = BTreeMap::new();
    for (function, event, source) in template::streams(functions) {
        let name = name(function, event);
        let (stream, backlog) = open(&name, source, tables, disk).with_context(|| name.clone())?;
        let table = watched.entry(source.table().unwrap_or_default());
        table.or_insert_with(|| Watched { stream, backlogs: Vec::new() }).backlogs.push(Arc::new(backlog));
    }
    let backlogs = watched.values().flat_map(|it| &it.backlogs);
    kept::erase_others(disk, &backlogs.map(|it| it.mapping.as_str()).collect::<Vec<_>>())?;
    Ok(Journal::new(clock.clone(), disk.clone(), watched.into_values().collect()))
}

/// A mapping's stream, and its part of the journal.
fn open(name: &str, source: &StreamSource, tables: &[Table], disk: &Disk) -> Result<(Stream, Backlog)> {
    let table = tables.iter().find(|table| Some(table.name.as_str()) == source.table());
    let stream = Stream::new(&source.stream, table.context("its table is none of the template")?)?;
    let filters = Filters::read(source.patterns())?;
    let lanes = source.parallelization_factor.min(cores());
    Ok((stream, Backlog::open(name.to_owned(), filters, lanes, disk.clone())?))
}

impl Connector {
    pub(crate) fn connect(
        &self,
        (function, event): (&str, &str),
        source: &StreamSource,
        work: StreamWork,
        timeout: Duration,
        watch: Watch,
    ) -> Result<Mapping> {
        let name = name(function, event);
        let backlog = self.journal.backlog(&name).context("the journal does not know it")?;
        let destination = source.on_failure().map(|arn| Destination::new(arn, &self.objects, &self.queues));
        Ok(Mapping {
            id: id(&name),
            function: format!("arn:aws:lambda:{REGION}:{ACCOUNT}:function:{function}"),
            under_way: (0..backlog.lanes()).map(|_| tokio::sync::Mutex::default()).collect(),
            places: places::Places::default(),
            source: source.clone(),
            clock: self.clock.clone(),
            name,
            backlog,
            destination,
            timeout,
            work,
            watch,
        })
    }
}

/// A mapping reads a stream with the rights of its function, and gives records up with them.
pub(crate) fn may_read(iam: &Iam, function: &str, source: &StreamSource) -> Result<()> {
    for action in ["dynamodb:GetRecords", "dynamodb:GetShardIterator", "dynamodb:DescribeStream"] {
        iam.demand(function, action, &source.stream)?;
    }
    // AWS asks for these rights, but not for every resource that a policy may name.
    iam.grants(function, "dynamodb:ListStreams", &source.stream);
    match source.on_failure() {
        Some(bucket) if bucket.starts_with("arn:aws:s3:::") => {
            iam.grants(function, "s3:ListBucket", bucket);
            iam.demand(function, "s3:PutObject", &format!("{bucket}/aws/lambda/"))
        }
        Some(queue) => iam.demand(function, "sqs:SendMessage", queue),
        None => Ok(()),
    }
}

impl Streams {
    /// Starts delivering records as they come.
    pub(crate) fn spawn(&self, tasks: &mut JoinSet<()>, gate: &Arc<RwLock<()>>) {
        for position in 0..self.0.len() {
            for lane in 0..self.0[position].backlog.lanes() {
                let (streams, gate) = (self.clone(), Arc::clone(gate));
                tasks.spawn(async move { streams.0[position].pump(lane, &gate).await });
            }
        }
    }
}

impl Mapping {
    async fn pump(&self, lane: usize, gate: &RwLock<()>) {
        loop {
            self.backlog.until_waiting(lane).await;
            let open = gate.read().await;
            let step = self.step(lane, self.source.batch_size).await;
            drop(open);
            if step.failed > 0 {
                let doublings = u32::try_from(step.retries).unwrap_or(u32::MAX).min(16);
                tokio::time::sleep((PAUSE_MIN * 2_u32.pow(doublings)).min(PAUSE_MAX)).await;
            }
        }
    }
}

/// What a mapping is called in the journal.
fn name(function: &str, event: &str) -> String {
    format!("{function}/{event}")
}

/// A mapping's id in the shape that AWS gives it, the same at every start.
fn id(name: &str) -> String {
    let hex = hex::encode(Sha256::digest(name));
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..32])
}
