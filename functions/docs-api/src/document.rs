//! Documents with an entity tag. A client that has the current document gets an empty response.

use std::sync::{Arc, LazyLock};

use axum::{
    http::{
        HeaderMap, StatusCode,
        header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH},
    },
    response::{IntoResponse, Response},
    routing::{MethodRouter, get},
};
use platform::App;
use sha2::{Digest, Sha256};

const CACHE_ONE_MINUTE: &str = "public, max-age=60";

/// Returns the route of a document.
pub(crate) fn route(content_type: &'static str, text: &'static str) -> MethodRouter<App> {
    let tag = Arc::new(LazyLock::new(move || tag_of(text)));
    get(async move |request: HeaderMap| show(content_type, text, &tag, &request))
}

fn show(content_type: &'static str, text: &'static str, tag: &str, request: &HeaderMap) -> Response {
    let headers = [(CACHE_CONTROL, CACHE_ONE_MINUTE), (ETAG, tag)];
    match has(request, tag) {
        true => (StatusCode::NOT_MODIFIED, headers).into_response(),
        false => (headers, [(CONTENT_TYPE, content_type)], text).into_response(),
    }
}

/// Returns the tag of a text. The tag is weak, because the compressed text has the same tag.
fn tag_of(text: &str) -> String {
    format!("W/\"{}\"", hex::encode(&Sha256::digest(text)[..16]))
}

/// Returns whether the client has the document with this tag. Ignores the prefix `W/`, which proxies can remove.
fn has(request: &HeaderMap, tag: &str) -> bool {
    let sent = request.get_all(IF_NONE_MATCH).into_iter().filter_map(|value| value.to_str().ok());
    let is_same = |sent: &str| sent.trim_start_matches("W/") == tag.trim_start_matches("W/");
    sent.flat_map(|value| value.split(',')).any(|sent| sent.trim() == "*" || is_same(sent.trim()))
}
