//! A signed-in client of the API.

use std::time::Duration;

use anyhow::{Context, ensure};
use http::{Method, Request, header::AUTHORIZATION, header::CONTENT_TYPE};
use platform::{App, Error, Result, settings::required};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

/// Maximum duration of a request. It is longer than the timeout of the API's functions.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(12);

/// The sign-in data of the canary's account.
#[derive(Deserialize, Serialize)]
pub(crate) struct Credentials {
    identifier: String,
    password: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Tokens {
    access_token: String,
    refresh_token: String,
}

#[derive(Deserialize)]
struct Body<T> {
    data: T,
}

/// A signed-in client.
pub(crate) struct Client<'a> {
    app: &'a App,
    tokens: Tokens,
}

impl<'a> Client<'a> {
    pub(crate) async fn sign_in(app: &'a App, credentials: Credentials) -> Result<Self> {
        let credentials = serde_json::to_value(credentials)?;
        let tokens = send(app, Request::builder().method(Method::POST), "/auth/login", &credentials).await?;
        Ok(Self { app, tokens })
    }

    pub(crate) async fn sign_out(self) -> Result<()> {
        let refresh_token = self.tokens.refresh_token.clone();
        let request = self.request(Method::POST).header("x-refresh-token", refresh_token);
        send::<Value>(self.app, request, "/auth/logout", &json!({})).await.map(drop)
    }

    /// Sends a request, and returns the field `data` of the response.
    pub(crate) async fn call<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: Value,
    ) -> Result<T> {
        send(self.app, self.request(method), path, &body).await
    }

    fn request(&self, method: Method) -> http::request::Builder {
        let authorization = format!("Bearer {}", self.tokens.access_token);
        Request::builder().method(method).header(AUTHORIZATION, authorization)
    }
}

/// Sends a request to the API. The error names the request, but contains neither its body nor its headers.
async fn send<T: DeserializeOwned>(
    app: &App,
    request: http::request::Builder,
    path: &str,
    body: &Value,
) -> Result<T> {
    let url = required(&app.settings.api_url, "API_URL")?;
    let method = request.method_ref().cloned().unwrap_or_default();
    let body = if method == Method::GET { String::new() } else { body.to_string() };
    let request = request.uri(format!("{url}{path}")).header(CONTENT_TYPE, "application/json").body(body);
    let sent = async {
        let response = app.outgoing.send(request?, REQUEST_TIMEOUT).await?;
        let status = response.status();
        ensure!(status.is_success(), "the response has the status {status}");
        anyhow::Ok(response.json::<Body<T>>().await.map_err(|error| error.without_url())?.data)
    };
    sent.await.with_context(|| format!("{method} {path}")).map_err(Error::internal)
}
