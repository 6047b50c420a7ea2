//! A web server with pages for link previews.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Arc, Mutex},
};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::State,
    http::{HeaderMap, Method, StatusCode, Uri, header},
    response::{IntoResponse, Response},
};

use crate::server::{lock, serve};

/// A web server whose pages a test defines.
#[derive(Clone)]
pub struct PageServer {
    origin: String,
    state: Arc<Mutex<Pages>>,
}

#[derive(Default)]
struct Pages {
    pages: HashMap<String, Response<Vec<u8>>>,
    failures: VecDeque<u16>,
    asked: Vec<Asked>,
    /// Status of the responses for other paths.
    otherwise: StatusCode,
}

/// A request to the server.
#[derive(Clone)]
pub(crate) struct Asked {
    path: String,
    pub(crate) method: Method,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    pub(crate) has_failed: bool,
}

impl PageServer {
    /// Starts a server without pages.
    pub async fn new() -> Self {
        Self::answering(StatusCode::NOT_FOUND).await
    }

    /// Starts a server without pages, which answers with this status.
    pub(crate) async fn answering(otherwise: StatusCode) -> Self {
        let state = Arc::new(Mutex::new(Pages { otherwise, ..Pages::default() }));
        let origin = serve(Router::new().fallback(answer).with_state(Arc::clone(&state))).await;
        Self { origin, state }
    }

    /// Returns the URL of a path.
    pub fn address(&self, path: &str) -> String {
        format!("{}{path}", self.origin)
    }

    /// Adds an HTML page, and returns its URL.
    pub fn has(&self, path: &str, html: &str) -> String {
        self.has_file(path, "text/html; charset=utf-8", html)
    }

    /// Adds a file of the content type `kind`, and returns its URL.
    pub fn has_file(&self, path: &str, kind: &str, body: impl Into<Vec<u8>>) -> String {
        self.puts(path, Response::builder().header(header::CONTENT_TYPE, kind), body.into())
    }

    /// Adds a redirect, and returns its URL.
    pub fn redirects(&self, path: &str, to: &str) -> String {
        let moved = Response::builder().status(StatusCode::FOUND).header(header::LOCATION, to);
        self.puts(path, moved, Vec::new())
    }

    /// Sets the statuses of the next responses, in order.
    pub fn fails(&self, statuses: &[u16]) {
        lock(&self.state).failures.extend(statuses);
    }

    /// Returns the number of requests for a path.
    pub fn asks(&self, path: &str) -> usize {
        self.asked(path).len()
    }

    /// Returns the headers of the last request for a path.
    pub fn last_headers(&self, path: &str) -> HeaderMap {
        self.asked(path).pop().expect("a request").headers
    }

    /// Returns the requests for a path, oldest first.
    pub(crate) fn asked(&self, path: &str) -> Vec<Asked> {
        lock(&self.state).asked.iter().filter(|asked| asked.path == path).cloned().collect()
    }

    fn puts(&self, path: &str, head: axum::http::response::Builder, body: Vec<u8>) -> String {
        let page = head.body(body).expect("valid headers");
        lock(&self.state).pages.insert(path.to_owned(), page);
        self.address(path)
    }
}

async fn answer(
    State(state): State<Arc<Mutex<Pages>>>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let mut state = lock(&state);
    let failure = state.failures.pop_front();
    let (path, has_failed) = (uri.path().to_owned(), failure.is_some());
    state.asked.push(Asked { path, method, headers, body, has_failed });
    if let Some(status) = failure {
        return StatusCode::from_u16(status).expect("a status").into_response();
    }
    let page = state.pages.get(uri.path());
    page.map_or(state.otherwise.into_response(), |page| page.clone().map(Body::from))
}
