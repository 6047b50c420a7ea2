//! The services that the console shows. Each page extracts only the services that it needs.

use std::{collections::BTreeMap, sync::Arc};

use axum::extract::FromRef;
use platform::App;

use crate::{
    advance::Advance, clock::Clock, delivery::Deliveries, recorder::Recorder, s3::Objects,
    schedules::Schedules, ses::Mailbox, sqs::Queues, store::Store,
};

#[derive(Clone, FromRef)]
pub(crate) struct Services {
    /// An [`App`] with the settings of the template's `Auth` function, or `None` without that function.
    pub(crate) accounts: Option<App>,
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

pub(crate) struct Addresses {
    /// URL of the gateway.
    pub(crate) api: String,
    /// URL of SQS, EventBridge, SES, S3 and Secrets Manager.
    pub(crate) aws: String,
    pub(crate) dynamodb: String,
}

/// The stack's functions, schedules and tables.
#[derive(Clone, Debug)]
pub struct Running {
    /// Triggers of each function: paths, queues or streams.
    pub functions: BTreeMap<String, Vec<String>>,
    /// Names and expressions of schedules.
    pub schedules: Vec<(String, String)>,
    /// Names of tables.
    pub tables: Vec<String>,
}

impl Running {
    /// Returns the first table of the template.
    pub(crate) fn table(&self) -> &str {
        self.tables.first().map_or("", String::as_str)
    }
}
