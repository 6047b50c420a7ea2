//! What a stack is started with.

use std::{collections::BTreeMap, path::PathBuf};

use crate::{
    clock::Start, delivery::Delivery, functions::MakeClients, gateway::RequestLog, recorder::Recorder,
};

/// What a stack is started with; the default keeps nothing, is on any port, as the deployed template says.
#[derive(Default)]
pub struct Options {
    /// The gateway's port; 0 is any free one.
    pub port: u16,
    /// Where everything is kept; `None` is nowhere.
    pub data: Option<PathBuf>,
    /// Another template than the one of this checkout.
    pub template: Option<String>,
    /// Settings, by the names of their environment variables.
    pub variables: BTreeMap<String, String>,
    /// Whether messages reach workers by themselves.
    pub delivery: Delivery,
    /// Where the functions run, if not in this process: an address that takes Lambda's Invoke.
    pub runtime: Option<String>,
    /// How the functions' clients are made, if not as the product makes them.
    pub clients: Option<MakeClients>,
    /// How many pages of its work an invocation of a worker does, before it sends itself a message for the rest;
    /// `None` is as many as it has time for.
    pub pages: Option<usize>,
    /// Where the clock starts.
    pub clock: Start,
    /// Hears about each request.
    pub log: Option<RequestLog>,
    /// Remembers what passes, for the console.
    pub recorder: Recorder,
}
