//! Circles that deleted users owned or were members of.

use serde_json::json;
use tests::World;

use super::{runs_deletions, traces::rows_with};
use crate::{
    circles::{appoints, creates_circle, joins},
    setup::start_with,
};

#[tokio::test]
async fn the_longest_serving_admin_inherits_a_deleted_owners_circle() {
    let world = World::builder().without_ticks().start().await;
    let [ann, bob, eve, dan] = world.people(["ann", "bob", "eve", "dan"]).await;
    let [led, lone] = [creates_circle(&ann, "Led").await, creates_circle(&ann, "Lone").await];
    for user in [&bob, &eve, &dan] {
        for circle in [&led, &lone] {
            joins(user, circle, &ann).await;
        }
        world.advance(1).await;
    }
    appoints(&ann, &led, &dan, "ADMIN").await.ok();
    appoints(&ann, &led, &eve, "ADMIN").await.ok();
    world.settle().await;
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
    let (world, [ann, bob]) = start_with(World::builder().without_ticks(), ["ann", "bob"]).await;
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
    let (world, [ann, bob]) = start_with(World::builder().without_ticks(), ["annabella", "bob"]).await;
    let circle = creates_circle(&ann, "Readers").await;
    joins(&bob, &circle, &ann).await;
    appoints(&ann, &circle, &bob, "OWNER").await.ok();
    bob.delete(&circle.path(&format!("/members/{}", ann.id))).await.ok();
    ann.leaves().await;
    runs_deletions(&world).await;
    assert_eq!(rows_with(&world, &[&ann.id]).await, [] as [&str; 0]);
}
