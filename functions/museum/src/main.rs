//! The Lambda.

#[tokio::main]
async fn main() -> Result<(), lambda_http::Error> {
    shared::http::serve(museum::routes).await
}
