//! One OpenAPI document for all functions.

use std::sync::LazyLock;

use runtime::{http::Routes, openapi};
use utoipa::openapi::OpenApi;

use crate::{examples, order};

static TEXT: LazyLock<String> = LazyLock::new(|| text(&document()));

/// Every operation of every function that answers requests.
pub fn document() -> OpenApi {
    let all = functions().into_iter().fold(Routes::default(), Routes::merge);
    openapi::finish(all.describe())
}

/// The document as the function `docs` shows it and as its crate keeps it: a line a field, for diffs.
pub fn published() -> &'static str {
    &TEXT
}

fn text(document: &OpenApi) -> String {
    completed(document).map(|it| it + "\n").unwrap_or_default()
}

fn completed(document: &OpenApi) -> serde_json::Result<String> {
    let mut value = serde_json::to_value(document)?;
    examples::complete(&mut value);
    serde_json::to_string_pretty(&order::ordered(document, value)?)
}

/// A function that answers requests is listed here, and nowhere else.
fn functions() -> [Routes; 13] {
    [
        admin_api::routes(),
        auth_api::routes(),
        circles_api::routes(),
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
