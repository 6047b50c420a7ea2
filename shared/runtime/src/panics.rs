//! What panics has failed, like anything else that fails.

use std::{any::Any, panic::AssertUnwindSafe};

use futures::FutureExt;
use platform::{Result, error::Error};

/// Does the work of one message. Whatever it does, the others of its batch are done.
pub(crate) async fn caught<T>(work: impl Future<Output = Result<T>>) -> Result<T> {
    AssertUnwindSafe(work).catch_unwind().await.unwrap_or_else(|cause| Err(failure(cause)))
}

/// Returns the failure that a panic is.
pub(crate) fn failure(cause: Box<dyn Any + Send>) -> Error {
    let text = cause.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| cause.downcast_ref::<&str>().copied()).unwrap_or("no message");
    Error::internal(anyhow::anyhow!("panicked: {text}"))
}
