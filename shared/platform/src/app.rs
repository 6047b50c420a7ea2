//! What a function holds while it is warm.

use std::{ops::Deref, sync::Arc, time::Duration};

use aws_config::{
    BehaviorVersion, SdkConfig, retry::RetryConfig, stalled_stream_protection::StalledStreamProtectionConfig,
    timeout::TimeoutConfig,
};

use crate::{
    bus::Bus,
    clock::{Clock, system_clock},
    email::EmailSender,
    id::Ids,
    memory::Memory,
    outgoing::Outgoing,
    queues::Queues,
    secrets::Secrets,
    settings::Settings,
    table::Table,
    time::Time,
    trust,
};

/// The clients of the AWS services that the product speaks to.
#[derive(Clone)]
pub struct Clients {
    /// DynamoDB.
    pub dynamodb: aws_sdk_dynamodb::Client,
    /// SQS.
    pub sqs: aws_sdk_sqs::Client,
    /// EventBridge.
    pub bus: aws_sdk_eventbridge::Client,
    /// Services that have no client of the SDK here.
    pub outgoing: Outgoing,
}

impl Clients {
    /// Makes one client for each service, all of one configuration.
    pub fn new(config: &SdkConfig) -> Self {
        Self {
            dynamodb: aws_sdk_dynamodb::Client::new(config),
            sqs: aws_sdk_sqs::Client::new(config),
            bus: aws_sdk_eventbridge::Client::new(config),
            outgoing: Outgoing::new(config),
        }
    }
}

/// Everything that the domain needs from outgoing. Built once a cold start; a clone copies one pointer.
#[derive(Clone)]
pub struct App(Arc<Parts>);

/// What an [`App`] is made of.
pub struct Parts {
    /// The single table.
    pub table: Table,
    /// The queues of the workers.
    pub queues: Queues,
    /// The bus of domain events.
    pub bus: Bus,
    /// The sender of e-mails.
    pub mail: EmailSender,
    /// The client of services that have none of the SDK here.
    pub outgoing: Outgoing,
    /// The configuration, read once.
    pub settings: Settings,
    /// The values of the secrets that the settings name.
    pub secrets: Secrets,
    /// The generator of ids.
    pub ids: Ids,
    /// What this instance remembers between requests.
    pub memory: Memory,
    clock: Clock,
}

impl App {
    /// Puts the parts together.
    pub fn new(clients: Clients, settings: Settings, clock: Clock) -> Self {
        Self(Arc::new(Parts {
            table: Table::new(clients.dynamodb, settings.table_name.clone()),
            queues: Queues::new(clients.sqs, settings.queues.clone()),
            bus: Bus::new(clients.bus, settings.event_bus_name.clone()),
            mail: EmailSender::new(&clients.outgoing, Arc::clone(&clock), settings.mail_from.clone()),
            secrets: Secrets::new(clients.outgoing.clone(), Arc::clone(&clock)),
            outgoing: clients.outgoing,
            settings,
            ids: Ids::default(),
            memory: Memory::default(),
            clock,
        }))
    }

    /// Reads the environment and the secrets that it names, and opens the connection to the table, so that the
    /// first request waits for none of them.
    ///
    /// # Errors
    /// Fails when a setting is malformed, and names the variable; or when a secret cannot be read.
    pub async fn from_env() -> anyhow::Result<Self> {
        let settings = Settings::from_env()?;
        let clients = Clients::new(&sdk_config().http_client(trust::sdk_client()?).load().await);
        let app = Self::new(clients, settings, system_clock());
        let secrets = app.settings.secrets().iter().map(|it| app.secrets.of(it));
        let (secrets, ()) = futures::join!(futures::future::try_join_all(secrets), app.table.warm_up());
        secrets?;
        Ok(app)
    }

    /// Returns the current time, in whole milliseconds.
    pub fn now(&self) -> Time {
        Time::from((self.clock)())
    }
}

impl Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

/// Returns the configuration of the SDK: short time-outs, quick retries of what never arrived. [`Table`] itself
/// retries conflicts and throttles.
pub fn sdk_config() -> aws_config::ConfigLoader {
    let retry = RetryConfig::standard()
        .with_max_attempts(3)
        .with_initial_backoff(Duration::from_millis(25))
        .with_max_backoff(Duration::from_millis(500));
    let timeout = TimeoutConfig::builder()
        .connect_timeout(Duration::from_secs(1))
        .operation_attempt_timeout(Duration::from_secs(3))
        .build();
    // Bodies are small and each attempt has its time-out: watching their flow costs more than it can find.
    let flow = StalledStreamProtectionConfig::disabled();
    let config = aws_config::defaults(BehaviorVersion::latest());
    config.retry_config(retry).timeout_config(timeout).stalled_stream_protection(flow)
}
