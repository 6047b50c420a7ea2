//! The page on which the API can be read and tried.

use axum::{
    http::header::CACHE_CONTROL,
    response::{Html, IntoResponse, Response},
};

pub(crate) async fn show() -> Response {
    ([(CACHE_CONTROL, "public, max-age=60")], Html(include_str!("reference.html"))).into_response()
}
