//! Routes that only a test has, served as a function serves its own.

use runtime::http::Routes;
use tokio::net::TcpListener;

use crate::World;

/// Serves these routes as long as the test runs, and returns their address.
pub async fn serve(world: &World, routes: Routes) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("the listener's address");
    let service = runtime::http::service(routes, world.app());
    tokio::spawn(async move { axum::serve(listener, service).await });
    format!("http://{address}")
}
