//! Percent-encodes the paths that API Gateway has decoded.

use lambda_http::request::LambdaRequest;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

/// Characters of a path that must be percent-encoded.
const ENCODED: AsciiSet = CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// Percent-encodes the path of a request. API Gateway decodes the path of an HTTP API, but a URL needs an encoded path:
/// <https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html>.
pub fn with_encoded_path(mut request: LambdaRequest) -> LambdaRequest {
    if let LambdaRequest::ApiGatewayV2(event) = &mut request
        && let Some(path) = &mut event.raw_path
    {
        *path = utf8_percent_encode(path, &ENCODED).to_string();
    }
    request
}
