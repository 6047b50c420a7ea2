//! Converts a row to a line of an export.

use platform::{
    App, Result,
    table::{JsonRow, Row},
};
use serde_json::{Value, json};

use super::users;

/// Rows per page.
pub(super) const PAGE_ROWS: usize = 250;
/// Attributes that are never exported: credentials, other users' blocks and likes, and notes of administrators.
const HIDDEN: [&str; 13] = [
    "passwordHash",
    "secretHash",
    "seed",
    "secret",
    "subscription",
    "blockedBy",
    "assistantNote",
    "confidence",
    "adminNote",
    "decidedBy",
    "decidedAt",
    "hiddenBy",
    "likers",
];
/// The lines of a page, and the cursor of the next page.
pub(super) type Lines = (Vec<Value>, Option<String>);

/// Converts a row to a line of an export, without hidden attributes and with public IDs of users.
pub(super) fn line(row: JsonRow) -> Value {
    let kind = kind(&row);
    let mut data = row.without(&HIDDEN);
    users::publish(&kind, &mut data);
    json!({ "kind": kind, "data": data })
}

/// Adds the file's URL to a line if the line is an upload.
pub(super) fn add_address(app: &App, line: &mut Value) -> Result<()> {
    if line["kind"] == "upload"
        && let Some(key) = line["data"]["key"].as_str()
    {
        line["data"]["url"] = uploads::address(app, key)?.into();
    }
    Ok(())
}

/// Returns the kind of a row: the first part of its sort key in lower case.
pub(super) fn kind(row: &JsonRow) -> String {
    let sk = row.key().sk;
    sk.split('#').next().unwrap_or_default().to_lowercase()
}
