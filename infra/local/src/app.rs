//! Serves the sample app in `infra/app` under `/app`. Files are read for each request, so a reload shows edits.

use std::path::PathBuf;

use axum::{
    Router,
    extract::Path,
    middleware::{from_fn, map_response},
    response::{IntoResponse, Redirect, Response},
    routing::get,
};
use lambda_http::http::{
    HeaderValue, StatusCode,
    header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS},
};

use crate::{answer, console::guard::require_local_host, state::Addresses};

const FILES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../app");

/// Serves the app under the host names `localhost` and `127.0.0.1` only.
pub(crate) fn router(addresses: &Addresses) -> Router {
    let policy =
        HeaderValue::from_str(&policy(addresses)).unwrap_or(HeaderValue::from_static("default-src 'none'"));
    let files = |folder: &'static str| get(move |Path(name): Path<String>| file(folder, name));
    Router::new()
        .route("/app", get(|| file("", "index.html".to_owned())))
        .route("/app/", get(|| async { Redirect::permanent("/app") }))
        .route("/app/src/{file}", files("src"))
        .route("/app/parts/{file}", files("parts"))
        .route("/app/views/{file}", files("views"))
        .route("/app/style/{file}", files("style"))
        .route("/app/vendor/{file}", files("vendor"))
        .layer(map_response(move |response| add_headers(response, policy.clone())))
        .layer(from_fn(require_local_host))
}

/// Returns the content security policy. It allows the app's files, the API, events and uploads, and prevents scripts
/// from turning strings into HTML.
fn policy(addresses: &Addresses) -> String {
    let (api, uploads) = (&addresses.api, &addresses.aws);
    let host = api.trim_start_matches("http://");
    let port = host.rsplit_once(':').map_or("80", |(_, port)| port);
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: {uploads}; \
         connect-src 'self' {api} ws://{host} ws://localhost:{port} {uploads}; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    )
}

async fn add_headers(response: Response, policy: HeaderValue) -> impl IntoResponse {
    let headers =
        [(CACHE_CONTROL, "no-cache"), (REFERRER_POLICY, "no-referrer"), (X_CONTENT_TYPE_OPTIONS, "nosniff")];
    ([(CONTENT_SECURITY_POLICY, policy)], headers, response)
}

async fn file(folder: &'static str, name: String) -> Response {
    let not_found = || answer::refusal(StatusCode::NOT_FOUND, "The file does not exist");
    let Some(content_type) = content_type(&name) else { return not_found() };
    match tokio::fs::read(PathBuf::from(FILES).join(folder).join(&name)).await {
        Ok(bytes) => ([(CONTENT_TYPE, content_type)], bytes).into_response(),
        Err(_) => not_found(),
    }
}

/// Returns the content type of a file. Returns `None` for unknown extensions, and for names that could leave the
/// folder.
fn content_type(name: &str) -> Option<&'static str> {
    let (stem, extension) = name.rsplit_once('.')?;
    let is_plain = stem.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-');
    match extension {
        _ if !is_plain => None,
        "html" => Some("text/html; charset=utf-8"),
        "css" => Some("text/css; charset=utf-8"),
        "js" => Some("text/javascript; charset=utf-8"),
        "svg" => Some("image/svg+xml"),
        _ => None,
    }
}
