//! Builds one OpenAPI document for all functions.

use std::sync::LazyLock;

use runtime::{http::Routes, openapi};
use serde_json::Value;
use utoipa::openapi::OpenApi;

use crate::{described::Described, examples, order, story};

static TEXT: LazyLock<String> = LazyLock::new(|| order::text(&document(), complete));
static DOCUMENT: LazyLock<Value> = LazyLock::new(|| serde_json::from_str(published()).unwrap_or_default());

/// Returns the OpenAPI document with every operation of every HTTP function.
pub fn document() -> OpenApi {
    let all = functions().into_iter().fold(Routes::default(), Routes::merge);
    openapi::finish(all.describe())
}

fn complete(document: &mut Value) {
    examples::complete(document);
    story::add(document);
}

/// Returns the document as indented JSON, which the function `docs-api` serves.
pub fn published() -> &'static str {
    &TEXT
}

/// Returns how the body of a response differs from the document, or `None` if the document describes it. `operation` is
/// a method and a path, like `GET /posts/{publicId}`.
pub fn undescribed(operation: &str, status: u16, body: &Value) -> Option<String> {
    let (method, path) = operation.split_once(' ')?;
    let responses = &DOCUMENT["paths"][path][method.to_lowercase()]["responses"];
    let response = &responses[status.to_string()];
    let document = Described(&DOCUMENT);
    let response = document.target(response).unwrap_or(response);
    let schema = &response["content"]["application/json"]["schema"];
    document.check_value(body, schema, "body").err()
}

/// Returns the operation of a request, like `GET /posts/{publicId}`, or `None` if the document does not describe it.
/// `target` is a path with its query.
pub fn operation_of(method: &str, target: &str) -> Option<String> {
    let found = story::Match::of(&DOCUMENT, method, target)?;
    Some(format!("{method} {}", found.path))
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
