//! The running services. Pages of the console take those that they show, each by itself.

use std::{collections::BTreeMap, sync::Arc};

use axum::extract::FromRef;
use platform::App;

use crate::{
    advance::Advance, clock::Clock, delivery::Deliveries, recorder::Recorder, s3::Objects,
    schedules::Schedules, ses::Mailbox, sqs::Queues, store::Store,
};

/// The services of a stack.
#[derive(Clone, FromRef)]
pub(crate) struct Services {
    pub(crate) accounts: Accounts,
    pub(crate) addresses: Arc<Addresses>,
    pub(crate) advance: Advance,
    pub(crate) clock: Clock,
    pub(crate) deliveries: Deliveries,
    pub(crate) mailbox: Mailbox,
    pub(crate) objects: Objects,
    pub(crate) queues: Queues,
    pub(crate) recorder: Recorder,
    pub(crate) running: Arc<Running>,
    pub(crate) schedules: Arc<Schedules>,
    pub(crate) store: Store,
}

/// Where the stack listens.
pub(crate) struct Addresses {
    /// The gateway.
    pub(crate) api: String,
    /// Queues, bus, mail, objects and secrets.
    pub(crate) aws: String,
    pub(crate) dynamodb: String,
}

/// The product with the settings of the function that knows accounts, if the template has one.
#[derive(Clone)]
pub(crate) struct Accounts(pub(crate) Option<App>);

/// What is told at the start.
#[derive(Clone, Debug)]
pub struct Running {
    /// Functions, by name, with what calls them.
    pub functions: BTreeMap<String, Vec<String>>,
    /// Schedules and their expressions.
    pub schedules: Vec<(String, String)>,
    /// Tables.
    pub tables: Vec<String>,
}

impl Running {
    /// The first table of the template.
    pub(crate) fn table(&self) -> &str {
        self.tables.first().map_or("", String::as_str)
    }
}
