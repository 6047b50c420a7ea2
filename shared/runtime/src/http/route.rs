//! The matched route of a request.

use axum::{
    extract::MatchedPath,
    http::{Extensions, Method},
};

/// The optional prefix of every path.
pub(super) const PREFIX: &str = "/api/v1";

/// Returns the path of the matched route without the prefix. Returns an empty string if no route matches.
pub(super) fn matched_route(extensions: &Extensions) -> String {
    let path = extensions.get::<MatchedPath>().map_or("", MatchedPath::as_str);
    path.strip_prefix(PREFIX).unwrap_or(path).to_owned()
}

/// Returns the method of a request, and the path of its matched route without the prefix.
pub(super) fn matched_operation(method: &Method, extensions: &Extensions) -> (Method, String) {
    // The handler of GET also handles HEAD.
    let method = if method == Method::HEAD { Method::GET } else { method.clone() };
    (method, matched_route(extensions))
}
