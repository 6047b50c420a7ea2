//! The matched route of a request.

use axum::{extract::MatchedPath, http::Extensions};

/// The optional prefix of every path.
pub(super) const PREFIX: &str = "/api/v1";

/// Returns the path of the matched route without the prefix. Returns an empty string if no route matches.
pub(super) fn matched_route(extensions: &Extensions) -> String {
    let path = extensions.get::<MatchedPath>().map_or("", |it| it.as_str());
    path.strip_prefix(PREFIX).unwrap_or(path).to_owned()
}
