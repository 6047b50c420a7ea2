//! What the loops over batches have in common: the start of the function, and the line of a batch in the log.

use lambda_runtime::{Error, LambdaEvent};
use platform::{App, metrics};
use serde::{Serialize, de::DeserializeOwned};

/// Gives each batch to `work` until Lambda ends the function.
///
/// # Errors
/// Fails when the settings are incomplete or the runtime API does not answer.
pub(crate) async fn run<E, R>(work: impl AsyncFn(&App, LambdaEvent<E>) -> R) -> Result<(), Error>
where
    E: DeserializeOwned,
    R: Serialize,
{
    platform::logs::init();
    metrics::init();
    let app = App::from_env().await?;
    let handler = lambda_runtime::service_fn(async |event: LambdaEvent<E>| {
        let response = work(&app, event).await;
        metrics::flush();
        Ok::<_, Error>(response)
    });
    lambda_runtime::run(handler).await
}

/// What a batch brought.
#[derive(Default)]
pub(crate) struct Brought {
    /// The messages of a queue.
    pub(crate) messages: Option<usize>,
    /// The records of a stream.
    pub(crate) records: Option<usize>,
    /// When the oldest of them was sent or written, in milliseconds since 1970.
    pub(crate) oldest: Option<i64>,
}

/// Does the work of a batch, and writes its line into the log: what it brought, how many `failed`, what it cost, and
/// how long after its oldest was sent or written it was done.
pub(crate) async fn logged<R>(
    app: &App,
    Brought { messages, records, oldest }: Brought,
    work: impl Future<Output = R>,
    failed: impl FnOnce(&R) -> usize,
) -> R {
    // Boxed, or the compiler gives up on the size of the nested futures.
    let (response, cost) = metrics::measure(Box::pin(work)).await;
    let lag = oldest.map_or(0, |at| app.now().millis().saturating_sub(at).max(0));
    tracing::info!(
        messages,
        records,
        failed = failed(&response),
        readUnits = cost.read_units,
        writeUnits = cost.write_units,
        millis = cost.millis(),
        lagMillis = lag,
        "batch done"
    );
    response
}
