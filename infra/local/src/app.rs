//! The page to try the network, under `/app`: the files of `infra/app`, read anew for each request, so that an edit
//! shows with the next reload.

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

use crate::{answer, console::guard::only_by_own_name, state::Addresses};

const FILES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../app");

/// The page, at this machine's own names only.
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
        .layer(map_response(move |response| guarded(response, policy.clone())))
        .layer(from_fn(only_by_own_name))
}

/// What the page may load and reach: its own files, the API, the events, and the uploads. No text becomes HTML.
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

async fn guarded(mut response: Response, policy: HeaderValue) -> Response {
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, policy);
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

async fn file(folder: &'static str, name: String) -> Response {
    let nothing = || answer::refusal(StatusCode::NOT_FOUND, "The page has no such file");
    let Some(kind) = kind_of(&name) else { return nothing() };
    match tokio::fs::read(PathBuf::from(FILES).join(folder).join(&name)).await {
        Ok(bytes) => ([(CONTENT_TYPE, kind)], bytes).into_response(),
        Err(_) => nothing(),
    }
}

/// The type of a file that may be shown. Its name leads nowhere else.
fn kind_of(name: &str) -> Option<&'static str> {
    let (stem, extension) = name.rsplit_once('.')?;
    let is_plain = stem.chars().all(|it| it.is_ascii_alphanumeric() || it == '-');
    match extension {
        _ if !is_plain => None,
        "html" => Some("text/html; charset=utf-8"),
        "css" => Some("text/css; charset=utf-8"),
        "js" => Some("text/javascript; charset=utf-8"),
        "svg" => Some("image/svg+xml"),
        _ => None,
    }
}
