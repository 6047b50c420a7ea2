//! Texts in all scripts.

mod invisible;
mod names;
mod properties;
mod tags;
mod words;

/// Encodes a text for a path or a query.
fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}
