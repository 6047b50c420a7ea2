//! The clients and configuration of a running function.

use std::{ops::Deref, sync::Arc, time::Duration};

use aws_config::{
    BehaviorVersion, SdkConfig, retry::RetryConfig, stalled_stream_protection::StalledStreamProtectionConfig,
    timeout::TimeoutConfig,
};
use aws_sdk_dynamodb::config::retry::{RetryPartition, TokenBucket};
use rand::distr::{Distribution, StandardUniform};

use crate::{
    Time,
    bus::Bus,
    clock::{Clock, system_clock},
    email::EmailSender,
    guarded::Guarded,
    id::Ids,
    memory::Memory,
    outgoing::Outgoing,
    queues::Queues,
    random::Random,
    retry::{ATTEMPTS, FIRST_PAUSE, LONGEST_PAUSE},
    secrets::Secrets,
    settings::Settings,
    table::{Conflicts, Table},
    trust,
};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(1);
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(3);
/// Maximum duration of a call with all its attempts. An API function has 10 seconds, so 2 seconds remain for an error
/// response.
const CALL_TIMEOUT: Duration = Duration::from_secs(8);

/// The clients of AWS services.
#[derive(Clone)]
pub struct Clients {
    /// DynamoDB.
    pub dynamodb: aws_sdk_dynamodb::Client,
    /// SQS.
    pub sqs: aws_sdk_sqs::Client,
    /// EventBridge.
    pub bus: aws_sdk_eventbridge::Client,
    /// Calls services for which the project has no SDK client, such as S3.
    pub outgoing: Outgoing,
}

impl Clients {
    /// Creates the clients.
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

/// Returns an unlimited retry quota.
///
/// The SDK's default quota allows about 100 retries per process. Workers with more conflicts would fail without
/// retrying. Each call still has limited attempts and time.
fn retry_partition() -> RetryPartition {
    RetryPartition::custom("unlimited").token_bucket(TokenBucket::unlimited()).build()
}

/// The clients, configuration and clock that the domain uses. An app is built once per cold start, and is cheap to
/// clone.
#[derive(Clone)]
pub struct App(Arc<Parts>);

/// The parts of an [`App`].
pub struct Parts {
    /// The DynamoDB table.
    pub table: Table,
    /// The workers' queues.
    pub queues: Queues,
    /// The bus of domain events.
    pub bus: Bus,
    /// Sends emails.
    pub mail: EmailSender,
    /// Calls services for which the project has no SDK client.
    pub outgoing: Outgoing,
    /// Calls user-supplied URLs.
    pub guarded: Guarded,
    /// The configuration.
    pub settings: Settings,
    /// The values of the secrets that the settings name.
    pub secrets: Secrets,
    /// Generates IDs.
    pub ids: Ids,
    /// Values that this instance keeps between requests.
    pub memory: Memory,
    random: Arc<Random>,
    clock: Clock,
}

impl App {
    /// Builds the app without reading secrets or connecting.
    pub fn new(clients: Clients, settings: Settings, clock: Clock) -> Self {
        Self::with_random(clients, settings, clock, Random::default())
    }

    /// Builds the app with a source of random values, which its IDs and tokens contain.
    pub fn with_random(clients: Clients, settings: Settings, clock: Clock, random: Random) -> Self {
        let random = Arc::new(random);
        Self(Arc::new(Parts {
            table: Table::new(&clients.dynamodb, settings.table_name.clone(), Arc::clone(&clock)),
            queues: Queues::new(clients.sqs, settings.queues.clone()),
            bus: Bus::new(clients.bus, settings.event_bus_name.clone()),
            mail: EmailSender::new(
                &clients.outgoing,
                Arc::clone(&clock),
                settings.mail_from.clone(),
                settings.mail_events.clone(),
            ),
            secrets: Secrets::new(clients.outgoing.clone(), Arc::clone(&clock), settings.secrets().to_vec()),
            outgoing: clients.outgoing,
            guarded: Guarded::new(settings.inner_addresses.clone()),
            settings,
            ids: Ids::new(Arc::clone(&random)),
            memory: Memory::default(),
            random,
            clock,
        }))
    }

    /// Builds the app from the environment. Reads the secrets and connects to the table in advance.
    ///
    /// # Errors
    /// Fails if a setting is malformed, or if a secret is unreadable or too short. The error names the variable.
    pub async fn from_env() -> anyhow::Result<Self> {
        let settings = Settings::from_env()?;
        let clients = Clients::new(&sdk_config().http_client(trust::sdk_client()?).load().await);
        let app = Self::new(clients, settings, system_clock());
        let secrets = app.settings.secrets().iter().map(|variable| app.secrets.of(variable.value()));
        let (secrets, ()) = futures::join!(futures::future::try_join_all(secrets), app.table.warm_up());
        secrets?;
        Ok(app)
    }

    /// Returns whether proposed features are available. Call this function instead of reading the setting.
    pub fn has_proposed_features(&self) -> bool {
        *self.settings.proposed_features
    }

    /// Returns the current time, in whole milliseconds.
    pub fn now(&self) -> Time {
        Time::from((self.clock)())
    }

    /// Returns a random value. It is cryptographically secure, unless the app was built with a seeded source.
    pub fn random<T>(&self) -> T
    where
        StandardUniform: Distribution<T>,
    {
        self.random.value()
    }
}

impl Deref for App {
    type Target = Parts;

    fn deref(&self) -> &Parts {
        &self.0
    }
}

/// Returns the configuration of the SDK. A call makes at most 8 attempts. An attempt takes at most 3 seconds, and the
/// whole call at most 8 seconds.
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
    // Detecting stalled streams is not worth its cost, because bodies are small and each attempt has a timeout.
    let protection = StalledStreamProtectionConfig::disabled();
    let config = aws_config::defaults(BehaviorVersion::latest());
    config.retry_config(retry).timeout_config(timeout).stalled_stream_protection(protection)
}
