//! Checks each SDK request of a function against the function's policy.

use std::sync::Arc;

use aws_config::SdkConfig;
use aws_sdk_dynamodb::config::{Credentials, SharedCredentialsProvider};
use aws_smithy_runtime_api::client::{
    http::{HttpConnector as _, HttpConnectorFuture, SharedHttpConnector},
    orchestrator::{HttpRequest, HttpResponse},
};
use aws_smithy_types::body::SdkBody;
use lambda_http::http::{StatusCode, Uri};
use serde_json::json;

use crate::{
    iam::Iam,
    layer::{self, Layer},
    rights,
    s3::SECRET,
};

/// Adds the function's credentials, and an interceptor that checks the function's policy.
pub(crate) fn with_interceptor(config: &SdkConfig, function: &str, iam: &Arc<Iam>) -> SdkConfig {
    let credentials = Credentials::new(function, SECRET, None, None, "local");
    let iam_interceptor = IamInterceptor { iam: Arc::clone(iam), function: function.into() };
    let mut builder = config.to_builder().credentials_provider(SharedCredentialsProvider::new(credentials));
    builder.set_http_client(config.http_client().map(|inner| layer::around(inner, iam_interceptor)));
    builder.build()
}

#[derive(Clone)]
struct IamInterceptor {
    iam: Arc<Iam>,
    function: Arc<str>,
}

impl Layer for IamInterceptor {
    fn call(&self, request: HttpRequest, next: SharedHttpConnector) -> HttpConnectorFuture {
        let target = request.headers().get("x-amz-target").unwrap_or_default();
        let path = request.uri().parse::<Uri>().map(|uri| uri.path().to_owned()).unwrap_or_default();
        let required = rights::required(target, &path, request.body().bytes().unwrap_or_default());
        match self.iam.check(&self.function, required.as_deref()) {
            Ok(()) => next.call(request),
            Err(refusal) => HttpConnectorFuture::ready(Ok(denied(&refusal))),
        }
    }
}

fn denied(message: &str) -> HttpResponse {
    let body = json!({ "__type": "com.amazon.coral.service#AccessDeniedException", "Message": message });
    let mut response = HttpResponse::new(StatusCode::BAD_REQUEST.into(), SdkBody::from(body.to_string()));
    response.headers_mut().insert("content-type", "application/x-amz-json-1.0");
    response
}
