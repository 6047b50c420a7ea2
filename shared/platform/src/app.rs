//! What every function holds while it is warm.

use std::{ops::Deref, sync::Arc, time::Duration};

use aws_config::{
    BehaviorVersion, SdkConfig, retry::RetryConfig, stalled_stream_protection::StalledStreamProtectionConfig,
    timeout::TimeoutConfig,
};

use crate::{
    bus::Events,
    clock::{Clock, system_clock},
    email::PostOffice,
    id::Ids,
    memory::Memory,
    outgoing::Outside,
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
    /// The table.
    pub dynamodb: aws_sdk_dynamodb::Client,
    /// The queues.
    pub sqs: aws_sdk_sqs::Client,
    /// The bus.
    pub events: aws_sdk_eventbridge::Client,
    /// Everything else outside.
    pub outside: Outside,
}

impl Clients {
    /// One client a service, all of one configuration.
    pub fn new(config: &SdkConfig) -> Self {
        Self {
            dynamodb: aws_sdk_dynamodb::Client::new(config),
            sqs: aws_sdk_sqs::Client::new(config),
            events: aws_sdk_eventbridge::Client::new(config),
            outside: Outside::new(config),
        }
    }
}

/// Built once per cold start; a clone is one reference count.
#[derive(Clone)]
pub struct App(Arc<Parts>);

/// What an [`App`] is made of.
pub struct Parts {
    /// The single table.
    pub table: Table,
    /// Where requests leave work for later.
    pub queues: Queues,
    /// Where domain events go.
    pub events: Events,
    /// The post office.
    pub mail: PostOffice,
    /// Services outside that have no client of their own.
    pub outside: Outside,
    /// The configuration, read once.
    pub settings: Settings,
    /// What the secrets of the settings are.
    pub secrets: Secrets,
    /// Where ids come from.
    pub ids: Ids,
    /// What this instance remembers between requests.
    pub memory: Memory,
    clock: Clock,
}

impl App {
    /// Puts the parts together; what they are is decided by the caller.
    pub fn new(clients: Clients, settings: Settings, clock: Clock) -> Self {
        Self(Arc::new(Parts {
            table: Table::new(clients.dynamodb, settings.table_name.clone()),
            queues: Queues::new(clients.sqs, settings.queues.clone()),
            events: Events::new(clients.events, settings.event_bus_name.clone()),
            mail: PostOffice::new(&clients.outside, Arc::clone(&clock), settings.mail_from.clone()),
            secrets: Secrets::new(clients.outside.clone(), Arc::clone(&clock)),
            outside: clients.outside,
            settings,
            ids: Ids::default(),
            memory: Memory::default(),
            clock,
        }))
    }

    /// Reads the environment that `template.yaml` sets and the secrets that it leads to, and opens the
    /// connection to the table: all that the first request would wait for.
    ///
    /// # Errors
    /// A setting is malformed, and the error names the variable; or a secret cannot be read.
    pub async fn from_env() -> anyhow::Result<Self> {
        let settings = Settings::from_env()?;
        let clients = Clients::new(&sdk_config().http_client(trust::sdk_client()?).load().await);
        let app = Self::new(clients, settings, system_clock());
        let secrets = app.settings.secrets().iter().map(|it| app.secrets.of(it));
        let (secrets, ()) = futures::join!(futures::future::try_join_all(secrets), app.table.warm_up());
        secrets?;
        Ok(app)
    }

    /// The current time, in whole milliseconds.
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

/// How the product speaks to AWS: quick to retry, never hanging on one attempt.
///
/// Conflicts and throttles are retried by [`Table`] itself; the SDK retries what never arrived.
pub fn sdk_config() -> aws_config::ConfigLoader {
    let retry = RetryConfig::standard()
        .with_max_attempts(3)
        .with_initial_backoff(Duration::from_millis(25))
        .with_max_backoff(Duration::from_millis(500));
    let timeout = TimeoutConfig::builder()
        .connect_timeout(Duration::from_secs(1))
        .operation_attempt_timeout(Duration::from_secs(3))
        .build();
    // Bodies are small and each attempt has its time: a watch over their flow costs more than it can find.
    let flow = StalledStreamProtectionConfig::disabled();
    let config = aws_config::defaults(BehaviorVersion::latest());
    config.retry_config(retry).timeout_config(timeout).stalled_stream_protection(flow)
}
