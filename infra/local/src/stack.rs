//! A whole stack: what it is started with, what runs in it, what can be done to it.

use std::{collections::BTreeMap, fs::File, sync::Arc, time::Duration};

use anyhow::{Result, ensure};
use aws_config::SdkConfig;
use dynoxide::Database;
use jiff::Timestamp;
use platform::{App, app::Clients, settings::Settings};
use serde::Serialize;
use tokio::task::JoinSet;

use crate::{
    clock::Clock,
    delivery::{Chaos, Deliveries, Delivery, Report},
    functions::Function,
    iam::{Iam, Uses},
    options::Options,
    recorder::Recorder,
    s3::Objects,
    schedules::Schedules,
    ses::{Mail, Mailbox},
    sqs::Queues,
    start,
    store::Store,
    stream::{StreamReport, StreamState},
};

/// How long stopping waits for a worker.
const TIMEOUT: Duration = Duration::from_secs(5);
/// The function of the template that knows accounts.
const ACCOUNTS: &str = "Auth";

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

/// What is told at the start.
#[derive(Clone, Debug)]
pub struct Running {
    /// Functions, by name, with what calls them.
    pub functions: BTreeMap<String, Vec<String>>,
    /// Schedules and their expressions.
    pub schedules: Vec<(String, String)>,
    /// Tables.
    pub tables: Vec<String>,
}

/// A running stack. Dropping it stops it.
pub struct Stack {
    pub(crate) parts: Arc<Parts>,
    pub(crate) tasks: JoinSet<()>,
    /// Keeps other stacks out of the data directory.
    pub(crate) _directory: Option<File>,
}

/// What the stack and its console share.
pub(crate) struct Parts {
    pub(crate) url: String,
    pub(crate) aws_url: String,
    pub(crate) dynamodb_url: String,
    pub(crate) config: SdkConfig,
    pub(crate) clock: Clock,
    pub(crate) store: Store,
    pub(crate) queues: Queues,
    pub(crate) mailbox: Mailbox,
    pub(crate) deliveries: Deliveries,
    pub(crate) delivery: Delivery,
    pub(crate) schedules: Schedules,
    pub(crate) iam: Arc<Iam>,
    pub(crate) settings: Arc<BTreeMap<String, Settings>>,
    pub(crate) running: Running,
    pub(crate) environment: BTreeMap<String, String>,
    pub(crate) functions: BTreeMap<String, Function>,
    pub(crate) objects: Objects,
    pub(crate) recorder: Recorder,
}

impl Stack {
    /// Starts everything that the template names.
    ///
    /// # Errors
    /// The template, a setting or a function is wrong, the port is taken, or the data is not readable.
    pub async fn start(options: Options) -> Result<Self> {
        start::start(options).await
    }

    /// Where the gateway listens.
    pub fn url(&self) -> &str {
        &self.parts.url
    }

    /// Where queues, bus and mail listen.
    pub fn aws_url(&self) -> &str {
        &self.parts.aws_url
    }

    /// Where the table listens.
    pub fn dynamodb_url(&self) -> &str {
        &self.parts.dynamodb_url
    }

    /// A configuration of the AWS SDK that reaches this stack.
    pub fn sdk_config(&self) -> &SdkConfig {
        &self.parts.config
    }

    /// The first table of the template.
    pub fn table_name(&self) -> &str {
        self.parts.running.tables.first().map_or("", String::as_str)
    }

    /// The address of a queue, by its name.
    pub fn queue_url(&self, name: &str) -> String {
        self.parts.queues.url(name)
    }

    /// Returns an [`App`] with the settings of the accounts function, or `None` if the template has no such function.
    pub fn accounts(&self) -> Option<App> {
        self.parts.app()
    }

    /// What the functions use, from now on and until now.
    pub fn uses(&self) -> Uses {
        Uses { iam: Arc::clone(&self.parts.iam), settings: Arc::clone(&self.parts.settings) }
    }

    /// The stack's clock.
    pub fn clock(&self) -> &Clock {
        &self.parts.clock
    }

    /// All that the functions are told, for those that run somewhere else: settings, secrets, addresses.
    pub fn environment(&self) -> &BTreeMap<String, String> {
        &self.parts.environment
    }

    /// What runs.
    pub fn running(&self) -> &Running {
        &self.parts.running
    }

    /// Moves the clock, stopping at each thing that falls due on the way. Where messages come by themselves, those that
    /// are there come first: they belong to the time that passes.
    ///
    /// # Errors
    /// A queue of the template is gone.
    pub async fn advance(&self, by: Duration) -> Result<()> {
        self.parts.advance(by).await
    }

    /// Delivers the records of streams and every message until none is left. What failed comes again at once, until it
    /// is dead or given up; delayed messages wait for the clock.
    ///
    /// # Errors
    /// A queue of the template is gone.
    pub async fn settle(&self, chaos: Option<Chaos>) -> Result<Report> {
        self.parts.schedules.drop_duplicates();
        match chaos {
            Some(chaos) => self.parts.deliveries.settle_in(chaos).await,
            None => self.parts.deliveries.settle().await,
        }
    }

    /// Delivers the messages of one queue until none is visible, and nothing else.
    ///
    /// # Errors
    /// A queue of the template is gone.
    pub async fn drain(&self, queue: &str) -> Result<Report> {
        self.parts.deliveries.drain_queue(queue).await
    }

    /// Delivers the records of streams until none is left, and no message.
    pub async fn drain_streams(&self) -> StreamReport {
        self.parts.deliveries.drain_streams().await
    }

    /// The table's engine, past the functions and the streams: for looking at rows, and for writing many at once.
    pub fn database(&self) -> &Database {
        &self.parts.store.database
    }

    /// All queues but dead letters.
    pub fn queues(&self) -> Vec<QueueState> {
        self.parts.queue_states()
    }

    /// The streams of tables, by the functions that take them.
    pub fn streams(&self) -> Vec<StreamState> {
        self.parts.deliveries.streams.states()
    }

    /// All mails, oldest first.
    pub fn mail(&self) -> Vec<Mail> {
        self.parts.mailbox.mails()
    }

    /// Fires a schedule now.
    ///
    /// # Errors
    /// There is none of that name, or its target refuses.
    pub async fn fire(&self, schedule: &str) -> Result<()> {
        let fired = self.parts.schedules.fire(schedule).await;
        ensure!(fired.is_some(), "there is no schedule {schedule}");
        fired.unwrap_or(Ok(()))
    }

    /// Waits for what is being delivered, and stops. What was answered is kept without it, too.
    pub async fn stop(mut self) {
        let paused = tokio::time::timeout(TIMEOUT, self.parts.deliveries.pause()).await;
        self.tasks.shutdown().await;
        drop(paused);
    }
}

impl Parts {
    /// The product without a function around it, with the settings of the one that knows accounts.
    pub(crate) fn app(&self) -> Option<App> {
        let settings = self.settings.get(ACCOUNTS)?.clone();
        let clock = self.clock.clone();
        Some(App::new(Clients::new(&self.config), settings, Arc::new(move || clock.now())))
    }

    pub(crate) async fn advance(&self, by: Duration) -> Result<()> {
        self.catch_up().await?;
        let begin = self.clock.now();
        let end = begin.saturating_add(by)?;
        while let Some(due) = self.next_due().filter(|due| *due <= end) {
            self.clock.move_to(due)?;
            self.schedules.fire_due().await;
            self.queues.promote();
            self.catch_up().await?;
        }
        self.clock.move_to(end)?;
        // It looks at every row.
        if hour(begin) != hour(end) {
            self.sweep().await;
        }
        Ok(())
    }

    /// Delivers what would come by itself if time ran.
    async fn catch_up(&self) -> Result<()> {
        if self.delivery == Delivery::Automatic {
            self.deliveries.drain().await?;
        }
        Ok(())
    }

    pub(crate) fn queue_states(&self) -> Vec<QueueState> {
        let all = self.queues.states();
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

    /// Deletes expired rows, as DynamoDB does in its own time.
    pub(crate) async fn sweep(&self) {
        let (store, now) = (self.store.clone(), self.clock.now());
        match tokio::task::spawn_blocking(move || store.sweep(now)).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::error!(%error, "expired rows were not deleted"),
            Err(error) => tracing::error!(%error, "the sweep stopped"),
        }
    }

    fn next_due(&self) -> Option<Timestamp> {
        [self.schedules.next_due(), self.queues.next_visible()].into_iter().flatten().min()
    }
}

fn hour(at: Timestamp) -> i64 {
    at.as_second().div_euclid(3600)
}
