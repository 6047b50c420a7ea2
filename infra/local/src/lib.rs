//! The whole service on one machine: what `template.yaml` names, in one process on 127.0.0.1.
//!
//! Start at [`Stack`]. [`template`] reads what runs; [`start`] puts it together; [`functions`] is the
//! only place that names the functions. The product does not know this crate: it speaks the AWS
//! protocols to the addresses that [`endpoints`] hands it. What the SDK says in this process never gets
//! as far as a socket: [`loopback`] answers it. What it answers outlives the process where there is a data directory:
//! the table by itself, uploads on the [`shelf`], all else on the [`disk`]. [`recorder`] remembers what passes, and
//! [`console`] shows it.

use mimalloc::MiMalloc;

mod account;
mod advance;
mod answer;
mod app;
mod aws;
mod batch;
pub mod bill;
mod call;
mod clock;
mod console;
pub mod consumed;
mod delivery;
mod disk;
mod dynamodb;
mod endpoints;
mod eventbridge;
mod expiry;
mod functions;
mod gateway;
mod iam;
mod iam_interceptor;
mod invoke;
pub mod keys;
pub mod layer;
mod listen;
mod loopback;
mod options;
mod pattern;
mod pusher;
mod recorder;
mod remote;
mod s3;
mod schedules;
mod secrets;
mod ses;
mod shelf;
mod sqs;
mod stack;
mod start;
mod state;
mod store;
mod stream;
mod table_address;
mod template;
mod worker;

/// Many small pieces by many threads: the system's allocator is slow at them, and keeps what it had.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

pub use clock::{Clock, Start};
pub use delivery::{Chaos, Delivery, Report};
pub use functions::MakeClients;
pub use gateway::{RequestLine, RequestLog};
pub use iam::Uses;
pub use options::Options;
pub use recorder::Recorder;
pub use ses::Mail;
pub use sqs::QueueState;
pub use stack::Stack;
pub use state::Running;
pub use stream::{StreamReport, StreamState};

/// The settings that the deployed template knows, by the names of its parameters.
///
/// # Errors
/// The template is not readable.
pub fn settings(template: Option<&str>) -> anyhow::Result<Vec<String>> {
    template::parameter_names(template)
}

/// `WRITE_LIMIT_PER_5_MIN` is the parameter `WriteLimitPer5Min`.
pub fn parameter_of(variable: &str) -> String {
    template::upper_camel(variable)
}
