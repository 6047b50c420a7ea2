//! Calling a function of this process as Lambda does: alone, and for so long at most.

use std::{sync::Arc, time::Duration};

use anyhow::{Context, Result};
use futures::future::LocalBoxFuture;
use tokio::{runtime::Handle, task::spawn_blocking, time::timeout};

use crate::recorder::Running;

/// Returns what the function returns.
///
/// # Errors
/// It panicked, or took longer than `limit`.
pub(crate) async fn call<T: Send + 'static>(
    running: Arc<Running>,
    limit: Duration,
    function: impl FnOnce() -> LocalBoxFuture<'static, T> + Send + 'static,
) -> Result<T> {
    let runtime = Handle::current();
    // Its own thread, so that a panic is a failed call and not the end of the stack.
    let alone = move || runtime.block_on(async { timeout(limit, running.scope(function())).await });
    spawn_blocking(alone).await?.context("timed out")
}
