//! Signed-in users and their HTTP client.

use anyhow::{Context, Result, ensure};
use reqwest::{Client, Method, RequestBuilder};
use serde_json::{Value, json};

const PASSWORD: &str = "correct horse battery";

/// A signed-in user.
#[derive(Clone)]
pub(crate) struct Person {
    pub(crate) name: String,
    pub(crate) token: String,
    http: Client,
    url: String,
}

/// Returns an HTTP client without proxies, because it connects only to this machine.
pub(crate) fn http() -> Result<Client> {
    Ok(Client::builder().no_proxy().build()?)
}

impl Person {
    pub(crate) async fn sign_up(http: &Client, url: &str, name: &str) -> Result<Self> {
        let answer = answer(register(http, url, name)).await?;
        Self::of(http, url, name, &answer["data"])
    }

    pub(crate) async fn sign_in(http: &Client, url: &str, name: &str) -> Result<Self> {
        let answer = answer(login(http, url, name)).await?;
        Self::of(http, url, name, &answer["data"])
    }

    fn of(http: &Client, url: &str, name: &str, data: &Value) -> Result<Self> {
        let token = data["accessToken"].as_str().with_context(|| format!("{name}: {data}"))?;
        let (name, token, url) = (name.to_owned(), token.to_owned(), url.to_owned());
        Ok(Self { name, token, http: http.clone(), url })
    }

    pub(crate) fn get(&self, path: &str) -> RequestBuilder {
        self.request(Method::GET, path)
    }

    pub(crate) fn post(&self, path: &str, body: Value) -> RequestBuilder {
        self.request(Method::POST, path).json(&body)
    }

    /// Sends a POST request that must succeed, and returns the public ID in its response.
    pub(crate) async fn create(&self, path: &str, body: Value) -> Result<String> {
        id_of(&answer(self.post(path, body)).await?)
    }

    pub(crate) fn patch(&self, path: &str, body: Value) -> RequestBuilder {
        self.request(Method::PATCH, path).json(&body)
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.http.request(method, format!("{}{path}", self.url)).bearer_auth(&self.token)
    }
}

pub(crate) fn register(http: &Client, url: &str, name: &str) -> RequestBuilder {
    let email = format!("{name}@example.com");
    let body = json!({ "name": name, "username": name, "email": email, "password": PASSWORD });
    http.post(format!("{url}/auth/register")).json(&body)
}

pub(crate) fn login(http: &Client, url: &str, name: &str) -> RequestBuilder {
    let body = json!({ "identifier": name, "password": PASSWORD });
    http.post(format!("{url}/auth/login")).json(&body)
}

/// Sends a request and returns the body of its response. Returns null if the body is empty.
///
/// # Errors
/// Fails unless the request succeeds. The error has the request and the status.
pub(crate) async fn answer(request: RequestBuilder) -> Result<Value> {
    let (client, request) = request.build_split();
    let request = request?;
    let sent = format!("{} {}", request.method(), request.url());
    let response = client.execute(request).await.with_context(|| sent.clone())?;
    let status = response.status();
    let text = response.text().await.with_context(|| sent.clone())?;
    ensure!(status.is_success(), "{sent} returned {status}: {text}");
    match text.is_empty() {
        true => Ok(Value::Null),
        false => serde_json::from_str(&text).with_context(|| sent),
    }
}

/// Returns the `publicId` in a response, or else the `id`.
pub(crate) fn id_of(answer: &Value) -> Result<String> {
    let id = answer["data"]["publicId"].as_str().or(answer["data"]["id"].as_str());
    id.map(str::to_owned).with_context(|| format!("no ID in {answer}"))
}
