//! Turns panics into errors.

use std::{any::Any, panic::AssertUnwindSafe};

use futures::FutureExt;
use platform::{Error, Result};

/// Runs `work`, and returns its result.
///
/// # Errors
/// Fails with [`Error::Internal`] if the work panics.
pub(crate) async fn catch_panic<T>(work: impl Future<Output = T>) -> Result<T> {
    AssertUnwindSafe(work).catch_unwind().await.map_err(panic_error)
}

/// Returns the error for a panic, with the panic's message.
pub(crate) fn panic_error(cause: Box<dyn Any + Send>) -> Error {
    let text = cause.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| cause.downcast_ref::<&str>().copied()).unwrap_or("no message");
    Error::internal(anyhow::anyhow!("panicked: {text}"))
}
