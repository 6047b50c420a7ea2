//! Builds one OpenAPI document for all functions.

use std::sync::LazyLock;

use runtime::{http::Routes, openapi};
use utoipa::openapi::OpenApi;

use crate::{examples, order};

static TEXT: LazyLock<String> = LazyLock::new(|| text(&document()));

/// Returns the OpenAPI document with every operation of every HTTP function.
pub fn document() -> OpenApi {
    let all = functions().into_iter().fold(Routes::default(), Routes::merge);
    openapi::finish(all.describe())
}

/// Returns the document as indented JSON, which the function `docs-api` serves.
pub fn published() -> &'static str {
    &TEXT
}

fn text(document: &OpenApi) -> String {
    completed(document).map(|text| text + "\n").unwrap_or_default()
}

fn completed(document: &OpenApi) -> serde_json::Result<String> {
    let mut value = serde_json::to_value(document)?;
    examples::complete(&mut value);
    serde_json::to_string_pretty(&order::ordered(document, value)?)
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
