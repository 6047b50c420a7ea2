//! Logs: one JSON line an event, with the id of its request or message.

use tracing_subscriber::EnvFilter;

/// Starts logging to standard output, which Lambda sends to CloudWatch. `RUST_LOG` filters.
pub fn init() {
    let filter = EnvFilter::builder().with_default_directive(tracing::Level::INFO.into()).from_env_lossy();
    let subscriber = tracing_subscriber::fmt().json().flatten_event(true).with_env_filter(filter);
    // A second start in one process keeps the first subscriber.
    let _ = subscriber.with_current_span(true).with_target(false).try_init();
}
