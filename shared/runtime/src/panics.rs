//! What panics has failed, like anything else that fails.

use std::{any::Any, panic::AssertUnwindSafe};

use futures::FutureExt;
use platform::{Result, error::Error};

/// Returns what the work returns.
///
/// # Errors
/// [`Error::Internal`] when it panicked.
pub(crate) async fn caught<T>(work: impl Future<Output = T>) -> Result<T> {
    AssertUnwindSafe(work).catch_unwind().await.map_err(failure)
}

/// Returns the failure that a panic is.
pub(crate) fn failure(cause: Box<dyn Any + Send>) -> Error {
    let text = cause.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| cause.downcast_ref::<&str>().copied()).unwrap_or("no message");
    Error::internal(anyhow::anyhow!("panicked: {text}"))
}
