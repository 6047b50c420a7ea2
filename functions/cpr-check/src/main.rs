//! The Lambda.

#[tokio::main]
async fn main() -> Result<(), lambda_runtime::Error> {
    shared::worker::run(cpr_check::work).await
}
