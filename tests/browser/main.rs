//! The console and the API reference in a real browser. `make browser-test` runs these tests. They need Chromium.

#![expect(clippy::expect_used, clippy::panic, clippy::unwrap_used, reason = "a missing value fails the test")]

mod driver;
mod reference;
mod story;
