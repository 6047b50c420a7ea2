//! An HTTP client of the API gateway.

use reqwest::{Method, RequestBuilder};
use serde_json::Value;

use crate::answer::Answer;

/// A client of one gateway, with or without an access token.
#[derive(Clone, Debug)]
pub struct Client {
    http: reqwest::Client,
    url: String,
    token: Option<String>,
}

impl Client {
    pub(crate) fn new(url: &str) -> Self {
        // The gateway has no TLS. Reading the system's certificates would take longer than starting a world.
        let http = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).no_proxy();
        let http = http.tls_certs_only([]).build().expect("an HTTP client");
        Self { http, url: url.to_owned(), token: None }
    }

    /// Returns a copy of this client with a different access token.
    pub fn with_token(&self, token: &str) -> Self {
        Self { token: Some(token.to_owned()), ..self.clone() }
    }

    /// Returns the access token.
    pub fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    /// Sends a request. A null `body` sends no body.
    pub async fn call(&self, method: Method, path: &str, body: &Value) -> Answer {
        send(self.with_body(method, path, body)).await
    }

    /// Sends a GET request.
    pub async fn get(&self, path: &str) -> Answer {
        send(self.request(Method::GET, path)).await
    }

    /// Reads all pages of a list, each with at most `take` rows. Returns one field of every row, by page.
    pub async fn columns(&self, path: &str, take: usize, field: &str) -> Vec<Vec<Value>> {
        let separator = if path.contains('?') { '&' } else { '?' };
        let (mut columns, mut cursor) = (Vec::new(), String::new());
        loop {
            let page = self.get(&format!("{path}{separator}take={take}{cursor}")).await.ok();
            assert!(page.rows().len() <= take, "{page}");
            columns.push(page.column(field));
            let Some(after) = page.after() else { return columns };
            cursor = format!("&after={after}");
        }
    }

    /// Works as [`Self::columns`] does, but returns the fields of all pages in one list.
    pub async fn all(&self, path: &str, take: usize, field: &str) -> Vec<Value> {
        self.columns(path, take, field).await.concat()
    }

    /// Works as [`Self::all`] does. Panics if a page before the last has fewer than `take` rows.
    pub async fn all_in_full_pages(&self, path: &str, take: usize, field: &str) -> Vec<Value> {
        let columns = self.columns(path, take, field).await;
        assert!(columns.iter().rev().skip(1).all(|page| page.len() == take), "{columns:?}");
        columns.concat()
    }

    /// Sends a POST request. A null `body` sends no body.
    pub async fn post(&self, path: &str, body: Value) -> Answer {
        self.call(Method::POST, path, &body).await
    }

    /// Sends a PATCH request.
    pub async fn patch(&self, path: &str, body: Value) -> Answer {
        self.call(Method::PATCH, path, &body).await
    }

    /// Sends a DELETE request.
    pub async fn delete(&self, path: &str) -> Answer {
        send(self.request(Method::DELETE, path)).await
    }

    /// Sends a POST request with an idempotency key.
    pub async fn post_once(&self, key: &str, path: &str, body: Value) -> Answer {
        send(self.with_body(Method::POST, path, &body).header("idempotency-key", key.as_bytes())).await
    }

    /// Returns a request builder, for [`send`].
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.http.request(method, format!("{}{path}", self.url));
        match &self.token {
            Some(token) => request.bearer_auth(token),
            None => request,
        }
    }

    fn with_body(&self, method: Method, path: &str, body: &Value) -> RequestBuilder {
        let request = self.request(method, path);
        if body.is_null() { request } else { request.json(body) }
    }
}

/// Sends a request and reads the whole response.
pub async fn send(request: RequestBuilder) -> Answer {
    let (client, request) = request.build_split();
    let request = request.expect("a well-formed request");
    let line = format!("{} {}", request.method(), request.url().path());
    let response = client.execute(request).await.unwrap_or_else(|error| panic!("{line}: {error}"));
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    let bytes = response.bytes().await.unwrap_or_else(|error| panic!("{line}: {error}"));
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let body = serde_json::from_str(&text).unwrap_or_default();
    Answer { request: line, status, headers, bytes: bytes.into(), text, body }
}
