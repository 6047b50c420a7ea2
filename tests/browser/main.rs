//! The console and the API reference in a real browser. `make browser-test` runs these tests. They need Chromium.

#![expect(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "what is not there fails the test, and that is the point"
)]

mod driver;
mod reference;
mod story;
