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

pub use anonymous_client::AnonymousClient;
pub use caller::{Admin, Appellant, Caller, Moderator, SessionEnding, SuperAdmin, Visitor};
pub use error::{Error, Result};
pub use http::{
    Empty, Envelope, Filters, FormOrJson, Input, List, ListEnvelope, NoFilters, Path, Query, Raw, Reply,
    Respond, RespondList, Routes, UserCursor,
};
pub use worker::Batch;
// For the macro `routes`.
#[doc(hidden)]
pub use pastey::paste;
