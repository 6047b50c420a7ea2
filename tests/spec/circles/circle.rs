//! Creating and reading circles.

use serde_json::json;
use tests::World;

use super::{UNKNOWN_ID, creates_circle};
use crate::routes::document::{Operation, operations};

#[tokio::test]
async fn a_new_circle_is_healthy_and_owned_by_its_creator() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let body = json!({ "name": "  Night readers ", "description": "One book a month" });
    let made = ann.post("/circles", body).await.ok();
    assert_eq!(made.status, 201);
    let circle = made.data();
    assert_eq!(json!([circle["name"], circle["description"]]), json!(["Night readers", "One book a month"]));
    assert_eq!(json!([circle["membersCount"], circle["level"]]), json!([1, 1]));
    assert_eq!(json!([circle["stage"], circle["role"]]), json!(["Healthy", "OWNER"]));
    assert_eq!(circle["owner"]["username"], "ann");
    let path = format!("/circles/{}", circle["publicId"].as_str().unwrap());
    assert_eq!(ann.get(&path).await.ok().data(), circle);
    for reader in [&world.anyone, &bob] {
        let seen = reader.get(&format!("/api/v1{path}")).await.ok();
        assert_eq!(json!([seen.data()["name"], seen.data()["role"]]), json!([circle["name"], null]));
    }
}

#[tokio::test]
async fn the_error_for_an_invalid_circle_names_the_field() {
    let (_world, [ann]) = World::with(["ann"]).await;
    for (body, field) in [
        (json!({}), "name"),
        (json!({ "name": "" }), "name"),
        (json!({ "name": "   " }), "name"),
        (json!({ "name": "x".repeat(51) }), "name"),
        (json!({ "name": 7 }), "name"),
        (json!({ "name": "x", "description": "x".repeat(501) }), "description"),
    ] {
        ann.post("/circles", body).await.invalid(field);
    }
    ann.post("/circles", json!({ "name": "ế".repeat(50), "description": "ế".repeat(500) })).await.ok();
    let undescribed = ann.post("/circles", json!({ "name": "x", "description": null })).await.ok();
    assert_eq!(undescribed.data()["description"], "");
}

#[tokio::test]
async fn an_idempotent_retry_does_not_count_toward_the_limit() {
    let (_world, [ann]) = World::with(["ann"]).await;
    for number in 0..3 {
        let (key, body) = (format!("key{number}"), json!({ "name": format!("Circle {number}") }));
        for _ in 0..3 {
            assert_eq!(ann.post_once(&key, "/circles", body.clone()).await.status, 201);
        }
    }
    ann.post_once("key3", "/circles", json!({ "name": "More" })).await.refused(429, "TOO_MANY_REQUESTS");
    ann.post_once("key0", "/circles", json!({ "name": "Else" })).await.refused(400, "VALIDATION_FAILED");
}

#[tokio::test]
async fn every_request_about_an_unknown_circle_is_not_found() {
    let (world, [ann]) = World::with(["ann"]).await;
    let paths = ["/circle/{publicId}", "/circles/{publicId}"];
    let is_of_circle = |operation: &&Operation| paths.iter().any(|path| operation.path.starts_with(path));
    let of_circles: Vec<_> = operations().iter().filter(is_of_circle).collect();
    assert!(of_circles.len() > 20, "{of_circles:?}");
    for operation in of_circles {
        operation.ask(&ann, "").await.refused(404, "NOT_FOUND");
    }
    for below in ["", "/members", "/posts", "/energy", "/energy/history", "/exp-log", "/cpr/status"] {
        world.anyone.get(&format!("/circles/{UNKNOWN_ID}{below}")).await.refused(404, "NOT_FOUND");
    }
    ann.get("/circles/nonsense").await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn users_can_list_their_circles_in_pages() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    for name in ["a", "b", "c"] {
        creates_circle(&ann, name).await;
        world.advance(1).await;
    }
    assert_eq!(json!(ann.columns("/circles", 2, "name").await), json!([["c", "b"], ["a"]]));
    assert_eq!(bob.get("/circles").await.ok().rows().len(), 0);
}
