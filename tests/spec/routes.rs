//! The template's routes match the operations that the code serves.

mod callers;
pub(crate) mod document;
mod fields;
mod modes;

use document::operations;
use tests::World;

/// A valid ID that no object has.
pub(crate) const UNKNOWN_ID: &str = "01KGB5T9G0A1B2C3D4E5F6G7H8";

/// Every route exists under both prefixes.
const PREFIXES: [&str; 2] = ["", "/api/v1"];

#[tokio::test]
async fn the_template_routes_every_operation() {
    let world = World::new().await;
    assert!(operations().len() > 20, "{:?}", operations());
    for operation in operations() {
        for prefix in PREFIXES {
            let answer = operation.ask(&world.anyone, prefix).await;
            assert_ne!(answer.status, 405, "{answer}");
            assert_ne!(answer.body["message"], "no such route", "{answer}");
            assert!(answer.header("x-request-id").is_some(), "no function answered: {answer}");
        }
    }
}

#[tokio::test]
async fn every_template_route_has_an_operation() {
    let world = World::new().await;
    let docs = "docs-api".to_owned();
    let functions = world.stack.running().functions.iter().filter(|(name, _)| **name != docs);
    let mut routes = 0;
    for (name, called_by) in functions {
        for route in called_by.iter().filter(|route| route.starts_with('/')) {
            let route = route.strip_prefix("/api/v1").unwrap_or(route);
            let group = route.strip_suffix("{proxy+}").unwrap_or(route);
            let matches = |path: &str| path == route || (group != route && path.starts_with(group));
            let found = operations().iter().any(|operation| matches(&operation.path));
            assert!(found, "{name} has no operation for {route}");
            routes += 1;
        }
    }
    assert!(routes > 0);
}

#[tokio::test]
async fn unknown_routes_go_to_the_docs_function() {
    let world = World::new().await;
    let docs = &world.stack.running().functions["docs-api"];
    assert!(docs.contains(&"$default".to_owned()), "{docs:?}");
}

/// Replaces the parameters of a path with an unknown ID.
pub(crate) fn with_ids(path: &str) -> String {
    let segments = path.split('/').map(|segment| if segment.starts_with('{') { UNKNOWN_ID } else { segment });
    segments.collect::<Vec<_>>().join("/")
}
