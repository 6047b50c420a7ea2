//! HTTP servers for tests.

use std::sync::{Mutex, MutexGuard, PoisonError};

use axum::Router;
use tokio::net::TcpListener;

/// Serves these routes until the test ends. Returns the origin, such as `http://127.0.0.1:4000`.
pub async fn serve(routes: Router) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let origin = format!("http://{}", listener.local_addr().expect("an address"));
    tokio::spawn(async move { axum::serve(listener, routes).await });
    origin
}

/// Locks a mutex, even if a thread panicked while it held the lock.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
