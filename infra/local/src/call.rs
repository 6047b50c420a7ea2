//! Calls a function with a batch. As on Lambda, the call is isolated and has a timeout.

use std::{sync::Arc, time::Duration};

use anyhow::{Context, Result};
use futures::future::LocalBoxFuture;
use tokio::{runtime::Handle, task::spawn_blocking, time::timeout};

use crate::{
    recorder::{CallResult, Payload, Watch},
    sqs::uuid,
};

/// Runs a future on a separate thread, so that a panic fails only this call.
pub(crate) async fn isolated<F: Future<Output: Send + 'static>>(
    start: impl FnOnce() -> F + Send + 'static,
) -> Result<F::Output> {
    let runtime = Handle::current();
    Ok(spawn_blocking(move || runtime.block_on(start())).await?)
}

/// Calls the function, and records the call. `read` parses the response, and `failed` counts the failed items of the
/// batch. Fails if the function panics or takes longer than `limit`, or if `read` fails.
pub(crate) async fn call<A: Send + 'static, T>(
    (watch, limit): (&Watch, Duration),
    payload: Payload,
    function: impl FnOnce() -> LocalBoxFuture<'static, A> + Send + 'static,
    read: impl FnOnce(A) -> Result<T>,
    failed: impl FnOnce(&T) -> usize,
) -> Result<T> {
    let running = watch.begin(uuid());
    let scope = Arc::clone(&running);
    let called = isolated(move || async move { timeout(limit, scope.scope(function())).await });
    let done = async { called.await?.context("timed out").and_then(read) };
    let result = |done: &Result<T>| {
        done.as_ref().map_or_else(CallResult::failed, |done| CallResult::Done(failed(done)))
    };
    watch.follow(running, payload, done, result).await
}
