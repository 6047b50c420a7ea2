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
