//! Options of a stack.

use std::{collections::BTreeMap, path::PathBuf};

use crate::{
    clock::Start, delivery::Delivery, functions::MakeClients, gateway::RequestLog, recorder::Recorder,
};

/// Options of a stack. By default it runs the deployed template, in memory, on any free port.
#[derive(Default)]
pub struct Options {
    /// Port of the gateway. 0 chooses a free port.
    pub port: u16,
    /// Data directory. `None` stores nothing on disk.
    pub data: Option<PathBuf>,
    /// Text of another template than the checkout's.
    pub template: Option<String>,
    /// Settings, by environment variable.
    pub variables: BTreeMap<String, String>,
    /// Whether messages are delivered automatically.
    pub delivery: Delivery,
    /// URL of functions outside this process, called with Lambda's Invoke.
    pub runtime: Option<String>,
    /// Replaces the product's way to make AWS clients.
    pub clients: Option<MakeClients>,
    /// Pages per invocation of a worker. `None` continues until the deadline.
    pub pages: Option<usize>,
    /// Start time of the clock.
    pub clock: Start,
    /// Called after each request.
    pub log: Option<RequestLog>,
    /// Collects activity for the console.
    pub recorder: Recorder,
}
