//! Builds one OpenAPI document for all functions.

use std::sync::LazyLock;

use runtime::{http::Routes, openapi};
use utoipa::openapi::OpenApi;

use crate::{examples, order};

static TEXT: LazyLock<String> = LazyLock::new(|| order::text(&document(), examples::complete));

/// Returns the OpenAPI document with every operation of every HTTP function.
pub fn document() -> OpenApi {
    let all = functions().into_iter().fold(Routes::default(), Routes::merge);
    openapi::finish(all.describe())
}

/// Returns the document as indented JSON, which the function `docs-api` serves.
pub fn published() -> &'static str {
    &TEXT
}

/// Returns the routes of every HTTP function in the document.
fn functions() -> [Routes; 14] {
    [
        admin_api::routes(),
        auth_api::routes(),
        circles_api::routes(),
        docs_api::described_routes(),
        message_group_api::routes(),
        museum_api::routes(),
        notification_api::routes(),
        posts_api::routes(),
        pusher_api::routes(),
        quests_api::routes(),
        search_api::routes(),
        uploads_api::routes(),
        users_api::routes(),
        webhooks_api::routes(),
    ]
}
