//! Options of a stack.

use std::{collections::BTreeMap, path::PathBuf};

use crate::{
    clock::Start, delivery::Delivery, functions::MakeClients, gateway::RequestLog, recorder::Recorder,
};

/// Options of a stack. By default, the stack runs the deployed template in memory, on a free port.
#[derive(Default)]
pub struct Options {
    /// Port of the gateway. 0 chooses a free port.
    pub port: u16,
    /// Port of SQS, EventBridge, SES, S3 and Secrets Manager. 0 chooses the previous port, or a free port.
    pub aws_port: u16,
    /// Data directory. `None` stores nothing on disk.
    pub data: Option<PathBuf>,
    /// Text of the template. `None` uses the checkout's template.
    pub template: Option<String>,
    /// Settings, by environment variable.
    pub variables: BTreeMap<String, String>,
    /// Whether messages are delivered automatically.
    pub delivery: Delivery,
    /// URL of functions outside this process, for Lambda's Invoke API. By default, functions run in this process.
    pub runtime: Option<String>,
    /// URL of models with the API of Amazon Bedrock. `None`: the stack has no models.
    pub bedrock: Option<String>,
    /// Creates the AWS clients of functions. `None` uses the product's own function.
    pub clients: Option<MakeClients>,
    /// Maximum number of pages that a worker processes per invocation. If set, functions and AWS calls have no timeouts,
    /// so that results do not depend on the speed of the machine. `None`: limited only by the timeouts.
    pub pages: Option<usize>,
    /// Start time of the clock.
    pub clock: Start,
    /// Seed of the IDs and tokens of functions in this process. `None`: they are random and secure.
    pub seed: Option<u64>,
    /// Called after each request.
    pub log: Option<RequestLog>,
    /// Records activity for the console.
    pub recorder: Recorder,
}
