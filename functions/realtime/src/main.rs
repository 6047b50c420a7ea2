//! The Lambda.

#[tokio::main]
async fn main() -> Result<(), lambda_runtime::Error> {
    shared::worker::run(realtime::work).await
}
