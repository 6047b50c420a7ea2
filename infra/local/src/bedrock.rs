//! Amazon Bedrock. The stack contains no models, so it passes requests to a different address.

use axum::response::{IntoResponse, Response};
use lambda_http::http::{
    StatusCode,
    header::{AUTHORIZATION, CONTENT_TYPE},
    request::Parts,
};
use reqwest::Client;

/// Client of a server that provides models with Bedrock's API.
#[derive(Clone)]
pub(crate) struct Models {
    http: Client,
    url: Option<String>,
}

impl Models {
    /// Returns a client for the models at `url`. Without a URL, requests get no response.
    pub(crate) fn new(url: Option<String>) -> reqwest::Result<Self> {
        Ok(Self { http: Client::builder().no_proxy().tls_certs_only([]).build()?, url })
    }

    /// Passes a request to the models. Returns `None` if the stack has no models, or if they do not respond.
    pub(crate) async fn answer(&self, parts: &Parts, body: &[u8]) -> Option<Response> {
        let url = format!("{}{}", self.url.as_ref()?, parts.uri.path());
        let header = |name| parts.headers.get(name).cloned();
        let request = self.http.post(url).body(body.to_vec());
        let request = request.header(CONTENT_TYPE, header(CONTENT_TYPE)?);
        let answer = request.header(AUTHORIZATION, header(AUTHORIZATION)?).send().await.ok()?;
        let status = StatusCode::from_u16(answer.status().as_u16()).ok()?;
        Some((status, answer.bytes().await.ok()?).into_response())
    }
}
