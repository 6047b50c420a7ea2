//! The documents of the API. [`openapi`] describes the operations, and [`asyncapi`] describes the pushed events.
//! [`guides`] explain tasks that need several operations.

pub mod asyncapi;
mod described;
mod examples;
pub mod guides;
pub mod openapi;
mod order;
mod story;
