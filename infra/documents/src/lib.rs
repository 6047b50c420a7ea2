//! The documents of the API. [`openapi`] describes the operations, and [`asyncapi`] describes the pushed events.

pub mod asyncapi;
mod described;
mod examples;
pub mod openapi;
mod order;
