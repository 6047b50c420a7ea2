//! Actions of a circle's owner: editing, deleting and handing over the circle.

use serde_json::{Value, json};
use tests::{Fault, World};

use super::{
    THOUGHT, asks, circle_of,
    death::rows_of,
    earns, hours,
    invitations::{accepts, invites},
    members::leaves,
    posts::{id, writes_in},
    sacrifice::gives,
    with_circle, with_members, without_ticks,
};

#[tokio::test]
async fn the_owner_can_edit_a_circle() {
    let (world, [ann], circle) = with_circle(World::with(["ann"])).await;
    let path = circle.path("");
    let edited = ann.patch(&path, json!({ "name": "  Late readers " })).await.ok();
    assert_eq!(json!([edited.data()["name"], edited.data()["role"]]), json!(["Late readers", "OWNER"]));
    ann.patch(&path, json!({ "description": "Two books" })).await.ok();
    let seen = circle.seen(&world).await;
    assert_eq!(json!([seen["name"], seen["description"]]), json!(["Late readers", "Two books"]));
    ann.patch(&path, json!({ "description": "" })).await.ok();
    assert_eq!(circle.seen(&world).await["description"], "");
    for bad in [
        json!({}),
        json!({ "name": " " }),
        json!({ "name": "x".repeat(51) }),
        json!({ "description": "x".repeat(501) }),
        json!({ "name": 1 }),
        json!({ "name": "fine", "level": 5 }),
    ] {
        ann.patch(&path, bad).await.refused(400, "VALIDATION_FAILED");
    }
    assert_eq!(circle.seen(&world).await["name"], "Late readers");
}

#[tokio::test]
async fn a_deleted_circle_is_purged_without_a_memorial() {
    let (world, [ann, bob], circle) = with_members(without_ticks(["ann", "bob"])).await;
    let post = id(&writes_in(&ann, &circle, THOUGHT).await.ok());
    circle.gains(&world, -300, 0).await;
    earns(&world, &bob, 1).await;
    gives(&bob, &circle, 1).await.ok();
    world.settle().await;
    bob.delete(&circle.path("")).await.refused(403, "FORBIDDEN");
    let deleted = ann.delete(&circle.path("")).await.ok();
    assert_eq!(deleted.data()["publicId"], circle.id);
    for below in ["", "/energy", "/energy/history", "/exp-log", "/posts", "/members"] {
        bob.get(&circle.path(below)).await.refused(404, "NOT_FOUND");
    }
    bob.get(&format!("/posts/{post}")).await.refused(404, "NOT_FOUND");
    ann.post(&format!("/posts/{post}/mute"), Value::Null).await.refused(404, "NOT_FOUND");
    ann.delete(&circle.path("")).await.refused(404, "NOT_FOUND");
    asks(&bob, &circle).await.refused(404, "NOT_FOUND");
    leaves(&bob, &circle).await.refused(404, "NOT_FOUND");
    hours(&world, 26).await;
    assert_eq!(rows_of(&world, &circle).await, Vec::<String>::new());
    let bob = bob.signs_in().await;
    assert!(bob.get("/museum").await.ok().rows().is_empty(), "a deleted circle gets no memorial");
    assert_eq!(bob.get("/users/me/badges").await.ok().data()["badges"].as_array().unwrap().len(), 1);
    assert!(bob.get("/circles").await.ok().rows().is_empty());
}

#[tokio::test]
async fn a_circle_deleted_during_a_join_is_purged() {
    let (world, [ann, bob], circle) = with_circle(without_ticks(["ann", "bob"])).await;
    invites(&ann, &circle, "bob").await.ok();
    world.advance(3600).await;
    let [ann, bob] = [ann.signs_in().await, bob.signs_in().await];
    let (deleted, accepted, _) =
        futures::join!(async { ann.delete(&circle.path("")).await }, accepts(&bob, &circle), world.settle());
    deleted.ok();
    assert!([200, 404].contains(&accepted.status), "{accepted}");
    bob.get(&circle.path("")).await.refused(404, "NOT_FOUND");
    hours(&world, 26).await;
    assert_eq!(rows_of(&world, &circle).await, Vec::<String>::new());
    let bob = bob.signs_in().await;
    assert!(bob.get("/museum").await.ok().rows().is_empty());
}

#[tokio::test]
async fn a_circle_is_deleted_despite_a_crash_after_the_commit() {
    let (world, [ann], circle) = with_circle(World::with(["ann"])).await;
    world.faults.next("TransactWriteItems", Fault::CrashAfter);
    ann.delete(&circle.path("")).await;
    ann.get(&circle.path("")).await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn the_owner_can_hand_the_circle_over_to_a_member() {
    let (_world, [ann, bob, cleo]) = World::with(["ann", "bob", "cleo"]).await;
    let circle = circle_of(&ann, &[&bob]).await;
    let path = circle.path("/owner");
    let to = |name: &str| json!({ "username": name });
    bob.post(&path, to("bob")).await.refused(403, "FORBIDDEN");
    ann.post(&path, to("cleo")).await.refused(404, "NOT_FOUND");
    ann.post(&path, to("unknown")).await.refused(404, "NOT_FOUND");
    ann.post(&path, to("ann")).await.refused(400, "VALIDATION_FAILED");
    ann.post(&path, json!({})).await.refused(400, "VALIDATION_FAILED");
    let handed = ann.post(&path, to("bob")).await.ok();
    assert_eq!(json!([handed.data()["username"], handed.data()["role"]]), json!(["bob", "OWNER"]));
    let seen = ann.get(&circle.path("")).await.ok();
    assert_eq!(json!([seen.data()["owner"]["username"], seen.data()["role"]]), json!(["bob", "ADMIN"]));
    ann.delete(&circle.path("")).await.refused(403, "FORBIDDEN");
    leaves(&ann, &circle).await.ok();
    cleo.delete(&circle.path("")).await.refused(403, "FORBIDDEN");
    bob.delete(&circle.path("")).await.ok();
}
