//! The Lambda.

#[tokio::main]
async fn main() -> Result<(), lambda_runtime::Error> {
    shared::worker::run(circle_drain::work).await
}
