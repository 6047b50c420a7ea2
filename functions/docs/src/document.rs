//! One OpenAPI document for all functions.

use std::sync::LazyLock;

use axum::{
    Json,
    http::header::CACHE_CONTROL,
    response::{IntoResponse, Response},
};
use shared::{App, openapi};
use utoipa::openapi::OpenApi;
use utoipa_axum::router::OpenApiRouter;

static DOCUMENT: LazyLock<OpenApi> = LazyLock::new(document);

/// Every operation of every function that answers requests.
pub fn document() -> OpenApi {
    let all = functions().into_iter().fold(OpenApiRouter::new(), OpenApiRouter::merge);
    openapi::finish(all.into_openapi())
}

/// A function that answers requests is listed here, and nowhere else.
fn functions() -> [OpenApiRouter<App>; 13] {
    [
        admin::routes(),
        auth::routes(),
        circles::routes(),
        message_group::routes(),
        museum::routes(),
        notification::routes(),
        posts::routes(),
        pusher::routes(),
        quests::routes(),
        search::routes(),
        uploads::routes(),
        users::routes(),
        webhooks::routes(),
    ]
}

pub(crate) async fn show() -> Response {
    ([(CACHE_CONTROL, "public, max-age=60")], Json(&*DOCUMENT)).into_response()
}
