//! Runs the resources of `template.yaml` in one process on 127.0.0.1.
//!
//! Start at [`Stack`]. [`template`] reads the resources, [`start`] starts them, and only [`functions`] lists the
//! functions. The product does not depend on this crate. The functions use the AWS protocols, at the addresses in
//! [`endpoints`]. [`loopback`] answers SDK calls of this process without a socket.
//!
//! With a data directory, the table, the [`object_store`] and the [`disk`] keep their state across restarts.
//! [`recorder`] collects recent activity, and [`console`] shows it.

use mimalloc::MiMalloc;

mod account;
mod advance;
mod answer;
mod app;
mod aws;
mod batch;
mod bedrock;
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
mod lock;
mod loopback;
mod object_store;
mod options;
mod pattern;
mod pusher;
mod recorder;
mod remote;
mod rights;
mod s3;
mod schedules;
mod secrets;
mod ses;
mod signed;
mod sqs;
mod stack;
mod start;
mod state;
mod store;
mod story;
mod stream;
mod table_address;
mod template;
mod worker;

/// Replaces the system's allocator, which is slow with many threads and does not return freed memory.
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

/// Returns whether an environment variable is a setting of the template. `None` selects the template of this checkout.
///
/// # Errors
/// Fails if the template is invalid.
pub fn is_setting(template: Option<&str>, variable: &str) -> anyhow::Result<bool> {
    template::is_setting(template, variable)
}
