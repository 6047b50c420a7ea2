//! A server of a test's own.

use axum::Router;
use tokio::net::TcpListener;

/// Serves these routes as long as the test runs, and returns their address.
pub async fn serve(routes: Router) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
    let address = listener.local_addr().expect("it has an address");
    tokio::spawn(async move { axum::serve(listener, routes).await });
    format!("http://{address}")
}
