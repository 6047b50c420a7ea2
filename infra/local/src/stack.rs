//! A running stack and its operations.

use std::{collections::BTreeMap, fs::File, time::Duration};

use anyhow::{Context, Result};
use aws_config::SdkConfig;
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

/// Maximum time for which [`Stack::stop`] waits for workers.
const STOP_TIMEOUT: Duration = Duration::from_secs(5);

/// A running stack. Dropping the handle stops the stack.
pub struct Stack {
    pub(crate) services: Services,
    pub(crate) config: SdkConfig,
    pub(crate) uses: Uses,
    pub(crate) environment: BTreeMap<String, String>,
    pub(crate) functions: BTreeMap<String, Function>,
    pub(crate) tasks: JoinSet<()>,
    /// Locked file that prevents other stacks from using the data directory.
    pub(crate) _directory: Option<File>,
}

impl Stack {
    /// Returns the URL of the gateway.
    pub fn url(&self) -> &str {
        &self.services.addresses.api
    }

    /// Returns the URL of SQS, EventBridge, SES, S3 and Secrets Manager.
    pub fn aws_url(&self) -> &str {
        &self.services.addresses.aws
    }

    /// Returns the URL of DynamoDB.
    pub fn dynamodb_url(&self) -> &str {
        &self.services.addresses.dynamodb
    }

    /// Returns the configuration of the AWS SDK for this stack.
    pub fn sdk_config(&self) -> &SdkConfig {
        &self.config
    }

    /// Returns the name of the template's first table.
    pub fn table_name(&self) -> &str {
        self.services.running.table()
    }

    /// Returns the URL of a queue.
    pub fn queue_url(&self, name: &str) -> String {
        self.services.queues.url(name)
    }

    /// Returns an [`App`] with the settings of the template's `Auth` function, or `None` without that function.
    pub fn accounts(&self) -> Option<App> {
        self.services.accounts.clone()
    }

    /// Returns a live record of the permissions and settings that functions have used.
    pub fn uses(&self) -> Uses {
        self.uses.clone()
    }

    /// Returns the stack's clock.
    pub fn clock(&self) -> &Clock {
        &self.services.clock
    }

    /// Returns the environment for functions in other processes: settings, secrets and addresses.
    pub fn environment(&self) -> &BTreeMap<String, String> {
        &self.environment
    }

    /// Returns the functions, schedules and tables of the stack.
    pub fn running(&self) -> &Running {
        &self.services.running
    }

    /// Moves the clock forward in steps. Each step ends when a schedule or message falls due. With automatic delivery,
    /// each step delivers pending messages.
    ///
    /// # Errors
    /// Fails if a queue of the template is missing, or the time cannot be saved.
    pub async fn advance(&self, by: Duration) -> Result<()> {
        self.services.advance.by(by).await
    }

    /// Delivers stream records and messages until none is left. Failed messages are retried immediately until they
    /// become dead letters. Delayed messages are not delivered until the clock moves.
    ///
    /// # Errors
    /// Fails if a queue of the template is missing.
    pub async fn settle(&self, chaos: Option<Chaos>) -> Result<Report> {
        self.services.schedules.drop_duplicates();
        match chaos {
            Some(chaos) => self.services.deliveries.settle_with_chaos(chaos).await,
            None => self.services.deliveries.settle().await,
        }
    }

    /// Delivers the messages of one queue until none is visible.
    ///
    /// # Errors
    /// Fails if a queue of the template is missing.
    pub async fn drain(&self, queue: &str) -> Result<Report> {
        self.services.deliveries.drain_queue(queue).await
    }

    /// Delivers stream records until none is left. Does not deliver messages.
    pub async fn drain_streams(&self) -> StreamReport {
        self.services.deliveries.drain_streams().await
    }

    /// Returns all queues except dead-letter queues.
    pub fn queues(&self) -> Vec<QueueState> {
        self.services.queues.queue_states()
    }

    /// Returns the state of each stream mapping.
    pub fn streams(&self) -> Vec<StreamState> {
        self.services.deliveries.streams.states()
    }

    /// Returns all captured emails, oldest first.
    pub fn mail(&self) -> Vec<Mail> {
        self.services.mailbox.mails()
    }

    /// Runs a schedule now.
    ///
    /// # Errors
    /// Fails if the schedule does not exist, or its target refuses the message.
    pub async fn fire(&self, schedule: &str) -> Result<()> {
        let fired = self.services.schedules.fire(schedule).await;
        fired.with_context(|| format!("there is no schedule {schedule}"))?
    }

    /// Waits for deliveries in progress, then stops the stack. Acknowledged writes are durable even without a call of
    /// `stop`.
    pub async fn stop(mut self) {
        let paused = tokio::time::timeout(STOP_TIMEOUT, self.services.deliveries.pause()).await;
        self.tasks.shutdown().await;
        drop(paused);
    }
}
