//! What the network promises, one file a noun.

mod budgets;
mod docs;
mod envelope;
mod routes;
mod stack;
mod wire;
