//! HTTP servers for tests.

use axum::Router;
use tokio::net::TcpListener;

/// Serves these routes until the test ends, and returns the origin.
pub async fn serve(routes: Router) -> String {
    let (listener, origin) = bind().await;
    tokio::spawn(async move { axum::serve(listener, routes).await });
    origin
}

/// Binds a free port. Returns the listener and its origin.
pub(crate) async fn bind() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let origin = format!("http://{}", listener.local_addr().expect("it has an address"));
    (listener, origin)
}
