//! Table streams. Writes are recorded in a journal and delivered to functions.
//!
//! [`Journal`] wraps every write. Each event-source mapping has a [`Backlog`] of records. A [`Mapping`] delivers the
//! records to a function.

mod backlog;
mod chaos;
mod filter;
mod given_up;
mod journal;
mod mapping;
mod record;
mod row_write;
mod settling;
mod state;
#[cfg(test)]
mod tests;

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use anyhow::{Context, Result};
use backlog::Backlog;
use filter::Filters;
use given_up::Destination;
pub(crate) use journal::Journal;
use journal::Watched;
pub(crate) use mapping::Mapping;
use record::Stream;
pub(crate) use row_write::Writes;
pub use settling::StreamReport;
use sha2::{Digest, Sha256};
pub use state::StreamState;
use tokio::{sync::RwLock, task::JoinSet};

use crate::{
    account::arn,
    clock::Clock,
    disk::Disk,
    functions::StreamWork,
    iam::Iam,
    recorder::Watch,
    s3::Objects,
    sqs::{Queues, format_uuid},
    template::{self, Function, StreamSource, Table},
};

const PAUSE_MIN: Duration = Duration::from_millis(25);
const PAUSE_MAX: Duration = Duration::from_secs(1);

/// Creates the mappings that connect streams to functions.
pub(crate) struct Connector {
    pub(crate) journal: Arc<Journal>,
    pub(crate) objects: Objects,
    pub(crate) queues: Queues,
    pub(crate) clock: Clock,
}

#[derive(Clone)]
pub(crate) struct Streams(pub(crate) Arc<[Mapping]>);

/// Opens the journal of the tables, with the unprocessed records on disk.
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
    let backlogs = watched.values().flat_map(|table| &table.backlogs);
    let names: Vec<_> = backlogs.map(|backlog| backlog.mapping.as_str()).collect();
    disk.write(|changes| changes.clear_others(backlog::PREFIX, &names))?;
    Journal::new(clock.clone(), disk.clone(), watched.into_values().collect())
}

/// Opens the stream and the backlog of a mapping.
fn open(name: &str, source: &StreamSource, tables: &[Table], disk: &Disk) -> Result<(Stream, Backlog)> {
    let table = tables.iter().find(|table| Some(table.name.as_str()) == source.table());
    let stream = Stream::new(&source.stream, table.context("the stream's table is not in the template")?)?;
    let filters = Filters::read(source.patterns())?;
    Ok((stream, Backlog::open(name.to_owned(), filters, disk.clone())?))
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
        let backlog = self.journal.backlog(&name).context("the mapping has no backlog")?;
        let destination = source.on_failure().map(|arn| Destination::new(arn, &self.objects, &self.queues));
        Ok(Mapping {
            id: id(&name),
            function: arn("lambda", &format!("function:{function}")),
            pending: tokio::sync::Mutex::default(),
            places: std::sync::Mutex::default(),
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

/// Fails unless the function's policy allows reading the stream and sending reports to the on-failure destination.
pub(crate) fn may_read(iam: &Iam, function: &str, source: &StreamSource) -> Result<()> {
    for action in ["dynamodb:GetRecords", "dynamodb:GetShardIterator", "dynamodb:DescribeStream"] {
        iam.require(function, action, &source.stream)?;
    }
    // AWS does not require permission for `ListStreams` and `ListBucket` on the specific resource. So only their use is
    // recorded.
    iam.grants(function, "dynamodb:ListStreams", &source.stream);
    match source.on_failure() {
        Some(bucket) if bucket.starts_with("arn:aws:s3:::") => {
            iam.grants(function, "s3:ListBucket", bucket);
            iam.require(function, "s3:PutObject", &format!("{bucket}/aws/lambda/"))
        }
        Some(queue) => iam.require(function, "sqs:SendMessage", queue),
        None => Ok(()),
    }
}

impl Streams {
    /// Starts automatic delivery of records, which pauses while `gate` is write-locked.
    pub(crate) fn spawn(&self, tasks: &mut JoinSet<()>, gate: &Arc<RwLock<()>>) {
        for position in 0..self.0.len() {
            let (streams, gate) = (self.clone(), Arc::clone(gate));
            tasks.spawn(async move { streams.0[position].pump(&gate).await });
        }
    }
}

impl Mapping {
    async fn pump(&self, gate: &RwLock<()>) {
        loop {
            self.backlog.wait_for_record().await;
            let open = gate.read().await;
            let step = self.step(self.source.batch_size).await;
            drop(open);
            if step.failed > 0 {
                let doublings = u32::try_from(step.retries).unwrap_or(u32::MAX).min(16);
                tokio::time::sleep((PAUSE_MIN * 2_u32.pow(doublings)).min(PAUSE_MAX)).await;
            }
        }
    }
}

fn name(function: &str, event: &str) -> String {
    format!("{function}/{event}")
}

/// Returns a stable ID in the format of AWS.
fn id(name: &str) -> String {
    format_uuid(&hex::encode(Sha256::digest(name)))
}
