//! Computes the price that AWS bills for usage, in dollars.
//!
//! The prices are the November 2026 prices in us-east-1, without free tiers. Messages and records are assumed to be
//! delivered in batches of 10, as on a busy network.

// https://aws.amazon.com/dynamodb/pricing/on-demand/
const READ_UNIT: f64 = 0.125;
const WRITE_UNIT: f64 = 0.625;
// https://aws.amazon.com/api-gateway/pricing/, https://aws.amazon.com/lambda/pricing/ (arm64)
const GATEWAY: f64 = 1.00;
const INVOCATION: f64 = 0.20;
const GB_SECOND: f64 = 13.3334;
// https://aws.amazon.com/sqs/pricing/, https://aws.amazon.com/eventbridge/pricing/
const QUEUE_CALL: f64 = 0.40;
const EVENT: f64 = 1.00;
// https://aws.amazon.com/cloudwatch/pricing/, https://aws.amazon.com/ec2/pricing/on-demand/ (per million KB)
const LOGS_KB: f64 = 0.50;
// https://aws.amazon.com/ses/pricing/
const EMAIL: f64 = 100.0;
const TRANSFER_KB: f64 = 0.09;

/// Number of messages or records per batch.
pub const BATCH_ITEMS: f64 = 10.0;
/// Memory and duration of a request. `infra/check/capacity.py` assumes the same, and compares the memory with
/// `template.yaml`.
const REQUEST_MB: u32 = 512;
const REQUEST_MILLIS: u32 = 40;
/// Memory of the function for accounts, and the time to hash a password there.
const AUTH_MB: u32 = 1024;
const HASH_MILLIS: u32 = 60;
/// Size of the logs of a request: one line by the function, and one line by the gateway.
const REQUEST_LOG_KB: f64 = 0.6;
/// Memory and duration of a batch.
const BATCH_MB: u32 = 256;
const BATCH_MILLIS: u32 = 60;
const BATCH_LOG_KB: f64 = 0.3;
/// Size of a compressed response, as a fraction of its full size.
const COMPRESSED: f64 = 1.0 / 3.0;

/// What a request computes.
#[derive(Clone, Copy, Debug, Default)]
pub enum Compute {
    /// Most requests.
    #[default]
    Usual,
    /// A request to the function for accounts.
    Auth,
    /// A request to the function for accounts that hashes a password.
    Password,
}

impl Compute {
    fn gb_seconds(self) -> f64 {
        match self {
            Self::Usual => gb_seconds(REQUEST_MB, REQUEST_MILLIS),
            Self::Auth => gb_seconds(AUTH_MB, REQUEST_MILLIS),
            Self::Password => gb_seconds(AUTH_MB, REQUEST_MILLIS + HASH_MILLIS),
        }
    }
}

fn gb_seconds(mb: u32, millis: u32) -> f64 {
    f64::from(mb) / 1024.0 * f64::from(millis) / 1000.0
}

/// Average AWS usage of one action, including follow-up work.
#[derive(Clone, Copy, Debug, Default)]
pub struct Usage {
    /// Number of requests to the API.
    pub requests: f64,
    /// The kind of request, which determines its compute time.
    pub compute: Compute,
    /// Number of emails that are sent.
    pub emails: f64,
    /// KB of responses before compression.
    pub response_kb: f64,
    /// Read units of the table.
    pub read_units: f64,
    /// Write units of the table.
    pub write_units: f64,
    /// Number of messages that workers receive.
    pub messages: f64,
    /// Number of stream records that the relay receives.
    pub records: f64,
    /// Number of events on the bus. Each event is also counted as a message.
    pub events: f64,
}

impl Usage {
    /// Returns the price of a million actions in dollars.
    pub fn dollars_per_million(&self) -> f64 {
        self.gateway() + self.table() + self.delivery() + self.emails * EMAIL
    }

    fn table(&self) -> f64 {
        self.read_units * READ_UNIT + self.write_units * WRITE_UNIT
    }

    fn gateway(&self) -> f64 {
        let function = INVOCATION + self.compute.gb_seconds() * GB_SECOND;
        self.requests * (GATEWAY + function + REQUEST_LOG_KB * LOGS_KB)
            + self.response_kb * COMPRESSED * TRANSFER_KB
    }

    /// Returns the price of queues and workers in dollars. Sends, receives and deletions are batched, except that the
    /// bus sends single messages.
    fn delivery(&self) -> f64 {
        let batch = INVOCATION + gb_seconds(BATCH_MB, BATCH_MILLIS) * GB_SECOND + BATCH_LOG_KB * LOGS_KB;
        let sent = (self.messages - self.events).max(0.0);
        let queues = sent * QUEUE_CALL * 0.3 + self.events * QUEUE_CALL * 1.2;
        (self.messages + self.records) * batch / BATCH_ITEMS + queues + self.events * EVENT
    }
}
