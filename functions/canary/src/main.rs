//! Entry point of the Lambda function.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_runtime::Error> {
    runtime::scheduled::run(canary::work).await
}
