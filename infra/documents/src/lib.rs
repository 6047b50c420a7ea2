//! The documents of the API: [`openapi`] describes the operations, [`asyncapi`] the pushed events.

pub mod asyncapi;
mod examples;
pub mod openapi;
mod order;
