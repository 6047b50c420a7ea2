//! Headers and documentation of deprecated operations. Only these tests define the routes.

use axum::http::StatusCode;
use runtime::{http::Routes, openapi, routes};
use tests::{World, serve};

/// Show a deprecated object
#[utoipa::path(get, path = "/old/{publicId}/all", responses((status = 200, description = "The old one.")),
    extensions(("x-status" = json!("live")),
        ("x-deprecated" = json!({ "since": "2026-03-01", "sunset": "2026-09-01", "successor": "/new/{publicId}" }))))]
async fn show_old() -> &'static str {
    "old"
}

/// Delete a deprecated object
#[utoipa::path(delete, path = "/old/{publicId}/all", responses((status = 200, description = "Gone.")),
    extensions(("x-deprecated" = json!({ "since": "2026-03-01", "sunset": "2026-05-29" }))))]
async fn delete_old() -> StatusCode {
    StatusCode::CONFLICT
}

/// Show an object
#[utoipa::path(get, path = "/new/{publicId}", responses((status = 200, description = "The new one.")),
    extensions(("x-status" = json!("live"))))]
async fn show_new() -> &'static str {
    "new"
}

/// Change an object, with an unknown successor
#[utoipa::path(patch, path = "/new/{publicId}", responses((status = 200, description = "Changed.")),
    extensions(("x-deprecated" = json!({ "since": "2026-03-01", "sunset": "2027-03-01", "successor": "/newer" }))))]
async fn change_new() {}

/// Delete an object, with an invalid deprecation date
#[utoipa::path(delete, path = "/new/{publicId}", responses((status = 200, description = "Forgotten.")),
    extensions(("x-deprecated" = json!({ "since": "soon", "sunset": "2027-03-01" }))))]
async fn erase_new() {}

fn served() -> Routes {
    routes![show_old, delete_old, show_new, change_new, erase_new]
}

fn values(answer: &reqwest::Response, name: &str) -> Vec<String> {
    let values = answer.headers().get_all(name).iter();
    values.map(|value| value.to_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn only_a_deprecated_operation_sends_its_sunset_date() {
    let world = World::new().await;
    let address = serve(runtime::http::service(served(), world.app())).await;
    for prefix in ["", "/api/v1"] {
        let answer = reqwest::get(format!("{address}{prefix}/old/7/all")).await.unwrap();
        assert_eq!(answer.status(), 200);
        assert_eq!(values(&answer, "deprecation"), ["@1772323200"]);
        assert_eq!(values(&answer, "sunset"), ["Tue, 01 Sep 2026 00:00:00 GMT"]);
        let successor = format!(r#"<{prefix}/new/7>; rel="successor-version""#);
        assert_eq!(values(&answer, "link"), [r#"</docs>; rel="deprecation"; type="text/html""#, &successor]);
    }
    let refused = reqwest::Client::new().delete(format!("{address}/old/7/all")).send().await.unwrap();
    assert_eq!((refused.status().as_u16(), values(&refused, "sunset").len()), (409, 1));
    assert_eq!(values(&refused, "link").len(), 1, "no successor is linked");
    let head = reqwest::Client::new().head(format!("{address}/old/7/all")).send().await.unwrap();
    assert_eq!(values(&head, "sunset").len(), 1);
    let current = reqwest::get(format!("{address}/new/7")).await.unwrap();
    for name in ["deprecation", "sunset", "link"] {
        assert!(values(&current, name).is_empty(), "{name}");
    }
}

#[test]
fn the_api_document_marks_deprecated_operations() {
    let document = serde_json::to_value(openapi::finish(served().describe())).unwrap();
    let old = &document["paths"]["/old/{publicId}/all"]["get"];
    assert_eq!(old["deprecated"], true);
    for name in ["deprecation", "sunset", "link"] {
        let header = &old["responses"]["200"]["headers"][name];
        assert!(header["description"].is_string(), "{name}: {old}");
    }
    assert!(document["paths"]["/new/{publicId}"]["get"].get("deprecated").is_none());
}

#[test]
fn a_deprecation_needs_90_days_notice_and_a_valid_successor() {
    let mut problems = openapi::deprecation_problems(&served().describe());
    problems.sort();
    let [unreadable, short, nowhere] = &problems[..] else { panic!("{problems:?}") };
    assert!(unreadable.starts_with("DELETE /new/{publicId}: "), "{unreadable}");
    assert_eq!(
        short,
        "DELETE /old/{publicId}/all: sunset: must be at least 90 days after since (2026-03-01 to 2026-05-29)"
    );
    assert_eq!(nowhere, "PATCH /new/{publicId}: successor: the path /newer does not exist");
}

#[test]
fn all_deprecations_of_the_api_are_valid() {
    assert_eq!(openapi::deprecation_problems(&documents::openapi::document()), [""; 0]);
}
