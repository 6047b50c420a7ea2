//! Calls a function in this process. As on Lambda, the call is isolated and has a timeout.

use std::{sync::Arc, time::Duration};

use anyhow::{Context, Result};
use futures::future::LocalBoxFuture;
use tokio::{runtime::Handle, task::spawn_blocking, time::timeout};

use crate::recorder::RunningCall;

/// Calls the function and returns its result.
///
/// # Errors
/// Fails if the function panics or takes longer than `limit`.
pub(crate) async fn call<T: Send + 'static>(
    running: Arc<RunningCall>,
    limit: Duration,
    function: impl FnOnce() -> LocalBoxFuture<'static, T> + Send + 'static,
) -> Result<T> {
    let runtime = Handle::current();
    // Runs on a separate thread, so that a panic fails only this call.
    let isolated = move || runtime.block_on(async { timeout(limit, running.scope(function())).await });
    spawn_blocking(isolated).await?.context("timed out")
}
