//! Circles that deleted users owned or were members of.

use serde_json::{Value, json};
use tests::{Person, World};

use super::{flush_notifications, runs_deletions, traces::rows_with};
use crate::{
    circles::{Circle, appoints, creates_circle, joins, succession::circle_in_order},
    notifications::notifications,
};

/// Starts a world with two circles of ann. Bob, eve and dan join both, in this order. Eve and dan are administrators of
/// the first circle. The second circle has no administrators.
async fn with_two_circles() -> (World, [Person; 4], [Circle; 2]) {
    let (world, [ann, bob, eve, dan]) =
        World::builder().without_ticks().start_with(["ann", "bob", "eve", "dan"]).await;
    let members = [&bob, &eve, &dan];
    let [led, lone] =
        [circle_in_order(&world, &ann, &members).await, circle_in_order(&world, &ann, &members).await];
    // Dan is appointed first, but eve joined first.
    appoints(&ann, &led, &dan, "ADMIN").await.ok();
    appoints(&ann, &led, &eve, "ADMIN").await.ok();
    world.settle().await;
    (world, [ann, bob, eve, dan], [led, lone])
}

/// Returns the circle, the count and the actors of each notification that the user is now an owner.
async fn inherited(user: &Person) -> Value {
    let rows = notifications(user).await;
    let rows = rows.iter().filter(|row| row["type"] == "CIRCLE_OWNER");
    rows.map(|row| json!([row["targetId"], row["count"], row["actorIds"]])).collect()
}

#[tokio::test]
async fn heirs_are_notified_of_a_deleted_owners_circles() {
    let (world, [ann, bob, eve, dan], [led, lone]) = with_two_circles().await;
    ann.leaves().await;
    flush_notifications(&world).await;
    assert_eq!(inherited(&eve).await, json!([[led.id, 1, []]]));
    assert_eq!(inherited(&bob).await, json!([[lone.id, 1, []]]));
    assert_eq!(inherited(&dan).await, json!([]));
    runs_deletions(&world).await;
    let eve = eve.signs_in().await;
    assert_eq!(inherited(&eve).await, json!([[led.id, 1, []]]), "the erasure keeps the notification");
}

#[tokio::test]
async fn the_admin_who_joined_first_inherits_a_deleted_owners_circle() {
    let (world, [ann, _bob, eve, dan], [led, lone]) = with_two_circles().await;
    ann.leaves().await;
    world.settle().await;
    for (circle, heir) in [(&led, "eve"), (&lone, "bob")] {
        let seen = circle.seen(&world).await;
        assert_eq!((&seen["owner"]["username"], &seen["membersCount"]), (&json!(heir), &json!(3)));
    }
    appoints(&eve, &led, &dan, "MEMBER").await.ok();
    eve.leaves().await;
    world.settle().await;
    assert_eq!(led.seen(&world).await["owner"]["username"], "bob", "no administrator is left");
}

#[tokio::test]
async fn account_deletion_removes_posts_but_keeps_circle_energy() {
    let (world, [ann, bob]) = World::builder().without_ticks().start_with(["ann", "bob"]).await;
    let circle = creates_circle(&bob, "Readers").await;
    joins(&ann, &circle, &bob).await;
    let path = circle.path("/posts");
    let text = "A thought about reading in the evening, and why it matters to all of us";
    let post = ann.post(&path, json!({ "content": text })).await.ok();
    let body = json!({ "content": format!("{text}, indeed"), "parentId": post.data()["publicId"] });
    bob.post(&path, body).await.ok();
    world.settle().await;
    let before = circle.energy(&world).await;
    assert_ne!(before["exp"], 0);
    ann.leaves().await;
    world.settle().await;
    assert!(world.anyone.get(&path).await.ok().rows().is_empty());
    let after = circle.energy(&world).await;
    assert_eq!((&after["exp"], &after["current"]), (&before["exp"], &before["current"]));
    assert_eq!(circle.seen(&world).await["membersCount"], 1);
    runs_deletions(&world).await;
    assert_eq!(super::traces::rows_with(&world, &[&ann.id]).await, Vec::<String>::new());
}

#[tokio::test]
async fn account_deletion_erases_a_former_owner_from_a_circle() {
    let (world, [ann, bob]) = World::builder().without_ticks().start_with(["annabella", "bob"]).await;
    let circle = creates_circle(&ann, "Readers").await;
    joins(&bob, &circle, &ann).await;
    appoints(&ann, &circle, &bob, "OWNER").await.ok();
    bob.delete(&circle.path(&format!("/members/{}", ann.id))).await.ok();
    ann.leaves().await;
    runs_deletions(&world).await;
    assert_eq!(rows_with(&world, &[&ann.id]).await, [] as [&str; 0]);
}
