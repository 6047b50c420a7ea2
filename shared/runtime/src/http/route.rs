//! The route that a request takes.

use axum::{extract::MatchedPath, http::Extensions};

/// The prefix under which every path is served too.
pub(super) const PREFIX: &str = "/api/v1";

/// Returns the path of the route that a request takes, without the prefix; nothing where there is no route.
pub(super) fn matched_route(extensions: &Extensions) -> String {
    let path = extensions.get::<MatchedPath>().map_or("", |it| it.as_str());
    path.strip_prefix(PREFIX).unwrap_or(path).to_owned()
}
