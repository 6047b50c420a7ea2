//! The documents of the API: [`openapi`] has what clients may request, [`asyncapi`] what the network pushes to them.

pub mod asyncapi;
mod examples;
pub mod openapi;
mod order;
