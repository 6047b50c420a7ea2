//! A server of a test's own.

use axum::Router;
use tokio::net::TcpListener;

/// Serves these routes as long as the test runs, and returns their address.
pub async fn serve(routes: Router) -> String {
    let (listener, origin) = bind().await;
    tokio::spawn(async move { axum::serve(listener, routes).await });
    origin
}

/// Takes a free port, and returns its address.
pub(crate) async fn bind() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let origin = format!("http://{}", listener.local_addr().expect("it has an address"));
    (listener, origin)
}
