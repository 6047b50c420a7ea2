//! Entry point of the Lambda function.

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), lambda_http::Error> {
    runtime::http::serve(search_api::routes).await
}
