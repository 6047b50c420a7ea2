//! What AWS bills for what the service uses, in dollars.
//!
//! Prices are those of us-east-1 of November 2026, from the pages of the services, without any free tier. What happens
//! comes in company, as on a busy network: what follows is delivered and worked on by tens.

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
// https://aws.amazon.com/cloudwatch/pricing/, https://aws.amazon.com/ec2/pricing/on-demand/: a million times a KB
const LOGS_KB: f64 = 0.50;
const TRANSFER_KB: f64 = 0.09;

/// How many come together.
pub const COMPANY: f64 = 10.0;
/// A request: half a GB for 12 ms. A line of its own, and one of the gateway.
const REQUEST_GB_SECONDS: f64 = 0.5 * 0.012;
const REQUEST_LOG_KB: f64 = 0.6;
/// A batch of a worker: a quarter of a GB for 60 ms, and its line.
const BATCH_GB_SECONDS: f64 = 0.25 * 0.060;
const BATCH_LOG_KB: f64 = 0.3;
/// What compression leaves of an answer.
const COMPRESSED: f64 = 1.0 / 3.0;

/// What one of something uses on average, with all that follows from it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Usage {
    /// Requests that pass the gateway.
    pub requests: f64,
    /// KB of their answers, before compression.
    pub answered_kb: f64,
    /// Read units of the table.
    pub read_units: f64,
    /// Write units of the table.
    pub write_units: f64,
    /// Messages that workers take.
    pub messages: f64,
    /// Records of the table's stream that its function takes.
    pub records: f64,
    /// Events on the bus, each of which is a message too.
    pub events: f64,
}

impl Usage {
    /// Returns the dollars for a million.
    pub fn dollars_a_million(&self) -> f64 {
        self.gateway() + self.table() + self.delivery()
    }

    fn table(&self) -> f64 {
        self.read_units * READ_UNIT + self.write_units * WRITE_UNIT
    }

    /// The gateway, the function, its logs, and what goes over the network.
    fn gateway(&self) -> f64 {
        let function = INVOCATION + REQUEST_GB_SECONDS * GB_SECOND;
        self.requests * (GATEWAY + function + REQUEST_LOG_KB * LOGS_KB)
            + self.answered_kb * COMPRESSED * TRANSFER_KB
    }

    /// Sends, receives and deletions by tens, the sends of the bus one by one, and the functions that take them.
    fn delivery(&self) -> f64 {
        let batch = INVOCATION + BATCH_GB_SECONDS * GB_SECOND + BATCH_LOG_KB * LOGS_KB;
        let sent = (self.messages - self.events).max(0.0);
        let queues = sent * QUEUE_CALL * 0.3 + self.events * QUEUE_CALL * 1.2;
        (self.messages + self.records) * batch / COMPANY + queues + self.events * EVENT
    }
}
