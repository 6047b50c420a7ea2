//! A line of an export: a row as JSON.

use platform::{
    App, Result,
    table::{JsonRow, Row},
};
use serde_json::{Value, json};

/// Rows of a page.
pub(super) const PAGE_ROWS: usize = 250;
/// What nobody is shown: what opens the account, what others did to the person, and what administrators noted.
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
/// The lines of a page, and where the next begins.
pub(super) type Lines = (Vec<Value>, Option<String>);

/// Returns a row as a line.
pub(super) fn line(row: JsonRow) -> Value {
    json!({ "kind": kind(&row), "data": row.without(&HIDDEN) })
}

/// Adds to the line of an upload where its file is read.
pub(super) fn add_address(app: &App, line: &mut Value) -> Result<()> {
    if line["kind"] == "upload"
        && let Some(key) = line["data"]["key"].as_str()
    {
        line["data"]["url"] = uploads::address(app, key)?.into();
    }
    Ok(())
}

/// Returns the kind of a row: the beginning of its sort key.
pub(super) fn kind(row: &JsonRow) -> String {
    let sk = row.key().sk;
    sk.split('#').next().unwrap_or_default().to_lowercase()
}
