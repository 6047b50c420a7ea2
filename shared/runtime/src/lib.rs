//! Runs functions: turns requests and messages into calls to the domain, and the results into responses.

pub mod anonymous_client;
mod batches;
pub mod caller;
pub mod error;
pub mod http;
mod message_head;
pub mod openapi;
mod panics;
mod rate_limit_headers;
pub mod scheduled;
pub mod stream;
pub mod worker;

pub use error::{Error, Result};
// For the macro `routes`.
#[doc(hidden)]
pub use pastey::paste;
