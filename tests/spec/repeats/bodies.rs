//! Requests with a body to operations that have none.

use domain::people::users::Role;
use reqwest::Method;
use serde_json::json;
use tests::{Person, World, send};

use super::UNKEYED;
use crate::{
    admin::administrator,
    routes::document::{Operation, is_open, operations},
    setup::MANY_WRITES,
};

/// Methods of operations with an idempotency key.
const KEYED: [Method; 2] = [Method::POST, Method::DELETE];

fn without_body() -> impl Iterator<Item = &'static Operation> {
    let writes = operations().iter().filter(|operation| operation.method != Method::GET);
    writes.filter(|operation| operation.example.is_none() && !is_open(&operation.path))
}

async fn asks(user: &Person, operation: &Operation, body: &'static str) -> tests::Answer {
    let request = operation.request(user, "").header("x-refresh-token", &user.refresh_token);
    send(request.header("content-type", "application/json").body(body)).await
}

#[tokio::test]
async fn an_operation_without_a_body_refuses_a_body_with_fields() {
    let world = World::builder().settings(MANY_WRITES).start().await;
    let root = administrator(&world, "root", Role::SuperAdmin).await;
    for operation in without_body() {
        for (body, why) in [
            (r#"{"surplus":1}"#, "surplus: must be omitted: the operation has no such field"),
            ("{", "the body must be a JSON object"),
            ("[]", "the body must be a JSON object"),
        ] {
            let answer = asks(&root, operation, body).await;
            assert_eq!(answer.refused(400, "VALIDATION_FAILED"), why, "{answer}");
        }
    }
}

#[tokio::test]
async fn an_operation_without_a_body_accepts_an_empty_object() {
    let world = World::builder().settings(MANY_WRITES).start().await;
    for (number, operation) in without_body().enumerate() {
        let names = ["a", "b"].map(|name| format!("{name}_{number}"));
        let [one, other] = [&names[0], &names[1]].map(|name| administrator(&world, name, Role::SuperAdmin));
        let (one, other) = futures::join!(one, other);
        let (empty, object) = (asks(&one, operation, "").await, asks(&other, operation, "{}").await);
        assert_eq!((empty.status, empty.status == 400), (object.status, false), "{empty}, {object}");
    }
}

#[tokio::test]
async fn a_corrected_request_can_reuse_its_idempotency_key() {
    let (_world, [ann]) = World::with(["ann"]).await;
    for key in ["k", "clé 1", "鍵"] {
        ann.post_once(key, "/posts", json!({ "content": "" })).await.refused(400, "VALIDATION_FAILED");
        ann.post_once(key, "/posts", json!({ "content": "corrected" })).await.ok();
        let other = ann.post_once(key, "/posts", json!({ "content": "another" })).await;
        assert_eq!(other.refused(400, "VALIDATION_FAILED"), "idempotency-key: was used for another request");
    }
}

#[test]
fn the_api_reference_lists_operations_without_idempotency_key() {
    let document = serde_json::to_value(documents::openapi::document()).unwrap();
    let text = document["info"]["description"].as_str().unwrap();
    for operation in operations().iter().filter(|operation| KEYED.contains(&operation.method)) {
        let takes_key = operation.described["parameters"].to_string().contains("/Idempotency-Key");
        let ignores = UNKEYED.iter().find(|path| operation.path.starts_with(**path));
        assert_eq!(takes_key, ignores.is_none(), "{}", operation.name());
        assert!(ignores.is_none_or(|path| text.contains(path.trim_end_matches('/'))), "{}", operation.name());
    }
}

#[test]
fn status_409_is_documented_only_where_conflicts_occur() {
    let has_conflict = |operation: &&Operation| operation.described["responses"].get("409").is_some();
    let conflicts: Vec<_> = operations().iter().filter(has_conflict).map(Operation::name).collect();
    let expected =
        ["POST /circles/{publicId}/cpr", "POST /circles/{publicId}/sacrifice", "POST /quests/{code}/claim"];
    assert_eq!(conflicts, expected);
}
