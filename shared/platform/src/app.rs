//! What a function holds while it is warm.

use std::{ops::Deref, sync::Arc, time::Duration};

use aws_config::{
    BehaviorVersion, SdkConfig, retry::RetryConfig, stalled_stream_protection::StalledStreamProtectionConfig,
    timeout::TimeoutConfig,
};
use aws_sdk_dynamodb::config::retry::{RetryPartition, TokenBucket};
use rand::distr::{Distribution, StandardUniform};

use crate::{
    bus::Bus,
    clock::{Clock, system_clock},
    email::EmailSender,
    guarded::Guarded,
    id::Ids,
    memory::Memory,
    outgoing::Outgoing,
    queues::Queues,
    random::random,
    retry::{ATTEMPTS, FIRST_PAUSE, LONGEST_PAUSE},
    secrets::Secrets,
    settings::Settings,
    table::{Conflicts, Table},
    time::Time,
    trust,
};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(1);
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(3);
/// A function that answers requests has 10 seconds, and must still be able to say that a call failed.
const CALL_TIMEOUT: Duration = Duration::from_secs(8);

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
        let dynamodb = aws_sdk_dynamodb::config::Builder::from(config).retry_classifier(Conflicts);
        let sqs = aws_sdk_sqs::config::Builder::from(config);
        let bus = aws_sdk_eventbridge::config::Builder::from(config);
        let partition = retry_partition();
        Self {
            dynamodb: aws_sdk_dynamodb::Client::from_conf(
                dynamodb.retry_partition(partition.clone()).build(),
            ),
            sqs: aws_sdk_sqs::Client::from_conf(sqs.retry_partition(partition.clone()).build()),
            bus: aws_sdk_eventbridge::Client::from_conf(bus.retry_partition(partition).build()),
            outgoing: Outgoing::new(config),
        }
    }
}

/// Returns a quota of retries that is never used up. The SDK's own lasts for about a hundred retries of all calls of
/// a process together: a worker whose batch conflicts more often would fail at the first conflict of every call
/// after that. Attempts and time bound each call already.
fn retry_partition() -> RetryPartition {
    RetryPartition::custom("unlimited").token_bucket(TokenBucket::unlimited()).build()
}

/// Everything that the domain needs from outside. Built once a cold start; a clone copies one pointer.
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
    /// The client of addresses that people gave.
    pub guarded: Guarded,
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
            table: Table::new(&clients.dynamodb, settings.table_name.clone(), Arc::clone(&clock)),
            queues: Queues::new(clients.sqs, settings.queues.clone()),
            bus: Bus::new(clients.bus, settings.event_bus_name.clone()),
            mail: EmailSender::new(&clients.outgoing, Arc::clone(&clock), settings.mail_from.clone()),
            secrets: Secrets::new(clients.outgoing.clone(), Arc::clone(&clock), settings.secrets().to_vec()),
            outgoing: clients.outgoing,
            guarded: Guarded::new(settings.inner_addresses.clone()),
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
    /// Fails when a setting is malformed, or a secret cannot be read or is too short; names the variable.
    pub async fn from_env() -> anyhow::Result<Self> {
        let settings = Settings::from_env()?;
        let clients = Clients::new(&sdk_config().http_client(trust::sdk_client()?).load().await);
        let app = Self::new(clients, settings, system_clock());
        let secrets = app.settings.secrets().iter().map(|it| app.secrets.of(it.value()));
        let (secrets, ()) = futures::join!(futures::future::try_join_all(secrets), app.table.warm_up());
        secrets?;
        Ok(app)
    }

    /// Whether the service does what is only proposed. Nobody else reads the setting.
    pub fn has_proposed_features(&self) -> bool {
        *self.settings.proposed_features
    }

    /// Returns the current time, in whole milliseconds.
    pub fn now(&self) -> Time {
        Time::from((self.clock)())
    }

    /// Returns random bits that nobody can foresee.
    pub fn random<T>(&self) -> T
    where
        StandardUniform: Distribution<T>,
    {
        random()
    }
}

impl Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

/// Returns the configuration of the SDK: at most 8 attempts at a call, of at most 3 seconds each, with short pauses,
/// and 8 seconds for all of them.
pub fn sdk_config() -> aws_config::ConfigLoader {
    let retry = RetryConfig::standard()
        .with_max_attempts(ATTEMPTS)
        .with_initial_backoff(FIRST_PAUSE)
        .with_max_backoff(LONGEST_PAUSE);
    let timeout = TimeoutConfig::builder()
        .connect_timeout(CONNECT_TIMEOUT)
        .operation_attempt_timeout(ATTEMPT_TIMEOUT)
        .operation_timeout(CALL_TIMEOUT)
        .build();
    // Bodies are small and each attempt has its time-out: watching their flow costs more than it can find.
    let flow = StalledStreamProtectionConfig::disabled();
    let config = aws_config::defaults(BehaviorVersion::latest());
    config.retry_config(retry).timeout_config(timeout).stalled_stream_protection(flow)
}
