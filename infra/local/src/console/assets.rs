//! Static files, compiled into the binary.

use axum::{
    extract::Path,
    response::{IntoResponse, Response},
};
use lambda_http::http::{StatusCode, header::CONTENT_TYPE};

const FILES: [(&str, &str, &str); 3] = [
    ("console.css", "text/css; charset=utf-8", include_str!("assets/console.css")),
    ("console.js", "text/javascript; charset=utf-8", include_str!("assets/console.js")),
    ("htmx.min.js", "text/javascript; charset=utf-8", include_str!("assets/htmx.min.js")),
];

pub(super) async fn show(Path(file): Path<String>) -> Response {
    match FILES.iter().find(|(name, ..)| *name == file) {
        Some((_, content_type, content)) => ([(CONTENT_TYPE, *content_type)], *content).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}
