//! Building blocks for a service on Lambda and DynamoDB. This crate does not depend on the product.
//!
//! Start reading with [`app::App`], which has all clients, and [`table`], the storage.

pub mod any_case;
pub mod app;
pub mod breaker;
pub mod bus;
pub mod caused;
pub mod clock;
pub mod deadline;
pub mod decode;
pub mod email;
pub mod error;
pub mod fetches;
pub mod guarded;
pub mod id;
pub mod idempotency;
pub mod logs;
pub mod mac;
pub mod memory;
pub mod metrics;
pub mod objects;
pub mod outbox;
pub mod outcomes;
pub mod outgoing;
pub mod page;
pub mod paged;
mod partition;
pub mod queues;
pub mod random;
pub mod rate_limit;
pub mod reads;
mod refused;
pub mod request_id;
pub mod retry;
pub mod sealed;
pub mod secrets;
pub mod settings;
pub mod signatures;
pub mod table;
pub mod text;
mod text_types;
pub mod time;
mod trust;
pub mod web_push;
pub mod webhook_keys;

pub use app::App;
pub use error::{Error, Result};
pub use retry::retry_on_conflict;
