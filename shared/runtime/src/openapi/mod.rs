//! What the API reference says of every operation, and what the router reads back from it.

mod common;
mod errors;
mod finish;
mod payloads;

use std::collections::HashSet;

use axum::http::Method;
use utoipa::openapi::{OpenApi, path::Operation};

pub use finish::finish;

/// The extension that tells how far an operation can be relied on: `live`, `stub`, `proposed` or
/// `extension`.
pub const X_STATUS: &str = "x-status";

/// The operations that are only proposed: method and path, without a prefix.
pub fn proposed(api: &OpenApi) -> HashSet<(Method, String)> {
    let marked = operations(api).filter(|(_, _, operation)| status(operation) == Some("proposed"));
    marked.map(|(method, path, _)| (method, path.to_owned())).collect()
}

/// Every operation: its method, its path, what is said of it.
pub fn operations(api: &OpenApi) -> impl Iterator<Item = (Method, &str, &Operation)> {
    api.paths.paths.iter().flat_map(|(path, item)| {
        let by_method = [
            (Method::GET, &item.get),
            (Method::POST, &item.post),
            (Method::PUT, &item.put),
            (Method::PATCH, &item.patch),
            (Method::DELETE, &item.delete),
        ];
        by_method.into_iter().filter_map(move |(method, it)| Some((method, path.as_str(), it.as_ref()?)))
    })
}

/// How far an operation can be relied on, as its handler says.
pub fn status(operation: &Operation) -> Option<&str> {
    operation.extensions.as_ref()?.get(X_STATUS)?.as_str()
}
