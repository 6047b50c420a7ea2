//! Serves the pages in `infra/app` and `infra/desk` under `/app` and `/desk`. Files are read for each request, so a reload
//! shows edits.

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

const APP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../app");
const DESK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../desk");

/// Serves the pages under the host names `localhost` and `127.0.0.1` only.
pub(crate) fn router(addresses: &Addresses) -> Router {
    let policy =
        HeaderValue::from_str(&policy(addresses)).unwrap_or(HeaderValue::from_static("default-src 'none'"));
    let page = |root: &'static str| get(move || file(root, String::new(), "index.html".to_owned()));
    let files = |root: &'static str| {
        get(move |Path((folder, name)): Path<(String, String)>| file(root, folder, name))
    };
    let shared =
        |folder: &'static str| get(move |Path(name): Path<String>| file(APP, folder.to_owned(), name));
    Router::new()
        .route("/app", page(APP))
        .route("/app/", get(|| async { Redirect::permanent("/app") }))
        .route("/app/{folder}/{file}", files(APP))
        .route("/desk", page(DESK))
        .route("/desk/", get(|| async { Redirect::permanent("/desk") }))
        .route("/desk/{folder}/{file}", files(DESK))
        .route("/desk/shared/{file}", shared("shared"))
        .route("/desk/vendor/{file}", shared("vendor"))
        .layer(map_response(move |response| add_headers(response, policy.clone())))
        .layer(from_fn(require_local_host))
}

/// Returns the content security policy. It allows the pages' files, the API, events and uploads, and prevents scripts
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

async fn file(root: &'static str, folder: String, name: String) -> Response {
    let not_found = || answer::refusal(StatusCode::NOT_FOUND, "The file does not exist");
    let Some(content_type) = content_type(&name).filter(|_| is_plain(&folder)) else { return not_found() };
    match tokio::fs::read(PathBuf::from(root).join(folder).join(&name)).await {
        Ok(bytes) => ([(CONTENT_TYPE, content_type)], bytes).into_response(),
        Err(_) => not_found(),
    }
}

/// Returns the content type of a file. Returns `None` for unknown extensions, and for names that could leave the
/// folder.
fn content_type(name: &str) -> Option<&'static str> {
    let (stem, extension) = name.rsplit_once('.')?;
    match extension {
        _ if !is_plain(stem) => None,
        "html" => Some("text/html; charset=utf-8"),
        "css" => Some("text/css; charset=utf-8"),
        "js" => Some("text/javascript; charset=utf-8"),
        "svg" => Some("image/svg+xml"),
        _ => None,
    }
}

fn is_plain(name: &str) -> bool {
    name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-')
}
