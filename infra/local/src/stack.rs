//! A whole stack: what it is started with, what runs in it, what can be done to it.

use std::{collections::BTreeMap, fs::File, time::Duration};

use anyhow::{Result, ensure};
use aws_config::SdkConfig;
use dynoxide::Database;
use platform::App;
use tokio::task::JoinSet;

use crate::{
    clock::Clock,
    delivery::{Chaos, Report},
    functions::Function,
    iam::Uses,
    ses::Mail,
    sqs::QueueState,
    state::{Running, Services},
    stream::{StreamReport, StreamState},
};

/// How long stopping waits for a worker.
const TIMEOUT: Duration = Duration::from_secs(5);

/// A running stack. Dropping it stops it.
pub struct Stack {
    pub(crate) services: Services,
    pub(crate) config: SdkConfig,
    pub(crate) uses: Uses,
    pub(crate) environment: BTreeMap<String, String>,
    pub(crate) functions: BTreeMap<String, Function>,
    pub(crate) tasks: JoinSet<()>,
    /// Keeps other stacks out of the data directory.
    pub(crate) _directory: Option<File>,
}

impl Stack {
    /// Where the gateway listens.
    pub fn url(&self) -> &str {
        &self.services.addresses.api
    }

    /// Where queues, bus and mail listen.
    pub fn aws_url(&self) -> &str {
        &self.services.addresses.aws
    }

    /// Where the table listens.
    pub fn dynamodb_url(&self) -> &str {
        &self.services.addresses.dynamodb
    }

    /// A configuration of the AWS SDK that reaches this stack.
    pub fn sdk_config(&self) -> &SdkConfig {
        &self.config
    }

    /// The first table of the template.
    pub fn table_name(&self) -> &str {
        self.services.running.table()
    }

    /// The address of a queue, by its name.
    pub fn queue_url(&self, name: &str) -> String {
        self.services.queues.url(name)
    }

    /// Returns an [`App`] with the settings of the accounts function, or `None` if the template has no such function.
    pub fn accounts(&self) -> Option<App> {
        self.services.accounts.0.clone()
    }

    /// What the functions use, from now on and until now.
    pub fn uses(&self) -> Uses {
        self.uses.clone()
    }

    /// The stack's clock.
    pub fn clock(&self) -> &Clock {
        &self.services.clock
    }

    /// All that the functions are told, for those that run somewhere else: settings, secrets, addresses.
    pub fn environment(&self) -> &BTreeMap<String, String> {
        &self.environment
    }

    /// What runs.
    pub fn running(&self) -> &Running {
        &self.services.running
    }

    /// Moves the clock, stopping at each thing that falls due on the way. Where messages come by themselves, those that
    /// are there come first: they belong to the time that passes.
    ///
    /// # Errors
    /// A queue of the template is gone.
    pub async fn advance(&self, by: Duration) -> Result<()> {
        self.services.advance.by(by).await
    }

    /// Delivers the records of streams and every message until none is left. What failed comes again at once, until it
    /// is dead or given up; delayed messages wait for the clock.
    ///
    /// # Errors
    /// A queue of the template is gone.
    pub async fn settle(&self, chaos: Option<Chaos>) -> Result<Report> {
        self.services.schedules.drop_duplicates();
        match chaos {
            Some(chaos) => self.services.deliveries.settle_in(chaos).await,
            None => self.services.deliveries.settle().await,
        }
    }

    /// Delivers the messages of one queue until none is visible, and nothing else.
    ///
    /// # Errors
    /// A queue of the template is gone.
    pub async fn drain(&self, queue: &str) -> Result<Report> {
        self.services.deliveries.drain_queue(queue).await
    }

    /// Delivers the records of streams until none is left, and no message.
    pub async fn drain_streams(&self) -> StreamReport {
        self.services.deliveries.drain_streams().await
    }

    /// The table's engine, past the functions and the streams: for looking at rows, and for writing many at once.
    pub fn database(&self) -> &Database {
        &self.services.store.database
    }

    /// All queues but dead letters.
    pub fn queues(&self) -> Vec<QueueState> {
        self.services.queues.queue_states()
    }

    /// The streams of tables, by the functions that take them.
    pub fn streams(&self) -> Vec<StreamState> {
        self.services.deliveries.streams.states()
    }

    /// All mails, oldest first.
    pub fn mail(&self) -> Vec<Mail> {
        self.services.mailbox.mails()
    }

    /// Fires a schedule now.
    ///
    /// # Errors
    /// There is none of that name, or its target refuses.
    pub async fn fire(&self, schedule: &str) -> Result<()> {
        let fired = self.services.schedules.fire(schedule).await;
        ensure!(fired.is_some(), "there is no schedule {schedule}");
        fired.unwrap_or(Ok(()))
    }

    /// Waits for what is being delivered, and stops. What was answered is kept without it, too.
    pub async fn stop(mut self) {
        let paused = tokio::time::timeout(TIMEOUT, self.services.deliveries.pause()).await;
        self.tasks.shutdown().await;
        drop(paused);
    }
}
