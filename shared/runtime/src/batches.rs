//! Starts workers and stream functions, and logs each batch.

use std::time::Instant;

use lambda_runtime::{Config, Error, LambdaEvent};
use platform::{App, logs, metrics, outcomes, request_id};
use serde::{Serialize, de::DeserializeOwned};
use tracing::Instrument;

/// Passes each batch to `work` until Lambda stops the function.
///
/// # Errors
/// Fails if a setting is malformed, if a secret is unreadable, or if the runtime API does not respond.
pub(crate) async fn run<E, R>(work: impl AsyncFn(&App, LambdaEvent<E>) -> R) -> Result<(), Error>
where
    E: DeserializeOwned,
    R: Serialize,
{
    let started = Instant::now();
    logs::init();
    metrics::init();
    let app = App::from_env().await?;
    let function = Config::from_env();
    logs::cold_start(started, function.memory, &function.version);
    let handler = lambda_runtime::service_fn(async |event: LambdaEvent<E>| {
        let response = work(&app, event).await;
        metrics::flush();
        Ok::<_, Error>(response)
    });
    lambda_runtime::run(handler).await
}

/// The size and age of a batch.
#[derive(Default)]
pub(crate) struct BatchSize {
    /// Number of queue messages, or `None` for stream records.
    pub(crate) messages: Option<usize>,
    /// Number of stream records, or `None` for queue messages.
    pub(crate) records: Option<usize>,
    /// Unix time in milliseconds of the oldest message or record.
    pub(crate) oldest: Option<i64>,
}

/// Runs the work of a batch. Logs the size, failures, outcomes, cost and lag of the batch. The lag is the age of the
/// oldest message or record.
pub(crate) async fn log_batch<R>(
    app: &App,
    size: BatchSize,
    work: impl Future<Output = R>,
    failed: impl FnOnce(&R) -> usize,
) -> R {
    let BatchSize { messages, records, oldest } = size;
    let logged = async {
        // Boxed, because the type of the nested futures exceeds a limit of the compiler.
        let ((response, outcomes), cost) = metrics::measure(Box::pin(outcomes::collect(work))).await;
        let lag = oldest.map_or(0, |at| app.now().millis().saturating_sub(at).max(0));
        tracing::info!(
            messages,
            records,
            failed = failed(&response),
            outcomes = (!outcomes.is_empty()).then(|| Vec::from_iter(outcomes.clone()).join(", ")),
            readUnits = cost.read_units,
            writeUnits = cost.write_units,
            millis = cost.millis(),
            lagMillis = lag,
            "batch done"
        );
        outcomes.into_iter().for_each(outcomes::note);
        response
    };
    logged.instrument(request_id::batch_span()).await
}
