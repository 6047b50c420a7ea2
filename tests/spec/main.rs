//! What the network promises, one file a noun.

#![expect(
    clippy::expect_used,
    clippy::unwrap_used,
    reason = "what is not there fails the test, and that is the point"
)]

mod auth;
mod budgets;
mod docs;
mod envelope;
mod feeds;
mod likes;
mod messages;
mod notifications;
mod posts;
mod routes;
mod stack;
mod wire;
