//! Runs functions that a schedule starts without a queue.

use std::time::Instant;

use lambda_runtime::{Config, LambdaEvent};
use platform::{App, Error, Result, logs};
use serde::de::IgnoredAny;

/// Calls `work` for each event until Lambda stops the function. Lambda counts a failed call as an error.
///
/// # Errors
/// Fails if a setting is malformed, if a secret is unreadable, or if the runtime API does not respond.
pub async fn run(work: impl AsyncFn(&App) -> Result<()>) -> Result<(), lambda_runtime::Error> {
    let started = Instant::now();
    logs::init();
    let app = App::from_env().await?;
    let function = Config::from_env();
    logs::cold_start(started, function.memory, &function.version);
    let handler = lambda_runtime::service_fn(async |_: LambdaEvent<IgnoredAny>| {
        let started = Instant::now();
        let done = work(&app).await;
        log(&done, started.elapsed().as_millis() as u64);
        done.map_err(lambda_runtime::Error::from)
    });
    lambda_runtime::run(handler).await
}

fn log(done: &Result<()>, millis: u64) {
    match done {
        Ok(()) => tracing::info!(millis, "run done"),
        Err(Error::Internal(cause)) => tracing::error!(millis, "run failed: {cause:#}"),
        Err(error) => tracing::error!(millis, "run failed: {error}"),
    }
}
