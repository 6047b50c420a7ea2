//! The parts of the OpenAPI document that all functions share.

mod bodies;
mod common;
mod deprecation;
mod errors;
mod finish;
mod nullable;
mod payloads;
mod unions;

use std::collections::HashSet;

use axum::http::Method;
use utoipa::openapi::{OpenApi, path::Operation};

pub use deprecation::{Deprecation, deprecated, deprecation_problems};
pub use finish::{camel_case, finish};
pub use nullable::require_nullable;

/// Security scheme of application tokens.
const TOKEN_SCHEME: &str = "token";

/// Returns the version of the API, which is the version of the workspace.
pub fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}

/// Returns the methods and paths of the proposed operations. The paths have no prefix.
pub(crate) fn proposed(api: &OpenApi) -> HashSet<(Method, String)> {
    let marked = operations(api).filter(|(_, _, operation)| status(operation) == Some("proposed"));
    marked.map(|(method, path, _)| (method, path.to_owned())).collect()
}

/// Returns every operation with its method and path.
pub fn operations(api: &OpenApi) -> impl Iterator<Item = (Method, &str, &Operation)> {
    api.paths.paths.iter().flat_map(|(path, item)| {
        let by_method = [
            (Method::GET, &item.get),
            (Method::POST, &item.post),
            (Method::PUT, &item.put),
            (Method::PATCH, &item.patch),
            (Method::DELETE, &item.delete),
        ];
        by_method
            .into_iter()
            .filter_map(move |(method, operation)| Some((method, path.as_str(), operation.as_ref()?)))
    })
}

/// Returns the status of an operation: `live`, `stub`, `proposed` or `extension`.
pub fn status(operation: &Operation) -> Option<&str> {
    operation.extensions.as_ref()?.get("x-status")?.as_str()
}

/// Returns the scope that application tokens need for an operation. Returns `None` if the operation does not accept
/// application tokens.
pub(crate) fn token_scope(operation: &Operation) -> Option<String> {
    let schemes = serde_json::to_value(&operation.security).ok()?;
    let scopes = schemes.as_array()?.iter().find_map(|scheme| scheme.get(TOKEN_SCHEME)?.as_array());
    Some(scopes?.first()?.as_str()?.to_owned())
}
