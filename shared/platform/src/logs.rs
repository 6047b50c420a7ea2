//! Logs: one JSON line per event, with the ID of its request or message.

use tracing_subscriber::{EnvFilter, fmt::MakeWriter};

/// Starts logging to standard output, which Lambda sends to CloudWatch. `RUST_LOG` filters the events.
pub fn init() {
    init_with(std::io::stdout);
}

/// Starts logging to a writer. `RUST_LOG` filters the events.
pub fn init_with(writer: impl for<'a> MakeWriter<'a> + Send + Sync + 'static) {
    let filter = EnvFilter::builder().with_default_directive(tracing::Level::INFO.into()).from_env_lossy();
    let subscriber = tracing_subscriber::fmt().json().flatten_event(true).with_env_filter(filter);
    let subscriber = subscriber.with_writer(writer);
    // If the process calls this function again, the first subscriber remains.
    let _ = subscriber.with_current_span(true).with_span_list(false).with_target(false).try_init();
}
