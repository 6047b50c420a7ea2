//! Entry point of the Lambda function.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_runtime::Error> {
    runtime::worker::run(cpr_check::work).await
}
