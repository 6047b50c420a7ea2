//! Notification preferences: for each kind of event, users choose who can notify them.

use serde_json::json;
use tests::World;

use super::{fields, notifications, one, ticks};

const PATH: &str = "/me/notification-preferences";

#[tokio::test]
async fn all_notifications_are_allowed_by_default() {
    let (_world, [ann]) = World::with(["ann"]).await;
    let all = ann.get(PATH).await.ok().data().clone();
    let kinds = all.as_object().unwrap();
    assert_eq!(kinds.len(), 17);
    assert!(kinds.values().all(|choice| *choice == json!({ "from": "everyone", "push": true })), "{all}");
    let chosen = json!({ "LIKE": { "from": "following" }, "QUOTE": { "push": false } });
    let changed = ann.patch(PATH, chosen).await.ok().data().clone();
    assert_eq!(changed["LIKE"], json!({ "from": "following", "push": true }));
    assert_eq!(changed["QUOTE"], json!({ "from": "everyone", "push": false }));
    assert_eq!(changed["POST"], json!({ "from": "everyone", "push": true }));
    let back = ann.patch(PATH, json!({ "LIKE": { "from": "everyone" } })).await.ok().data().clone();
    assert_eq!(back["QUOTE"]["push"], false, "a change does not affect kinds that it omits");
    assert_eq!(ann.get(PATH).await.ok().data(), &back);
}

#[tokio::test]
async fn an_invalid_preference_is_refused() {
    let (_world, [ann]) = World::with(["ann"]).await;
    for bad in [
        json!({ "DISLIKE": { "push": true } }),
        json!({ "LIKE": { "from": "friends" } }),
        json!({ "LIKE": { "push": "yes" } }),
        json!({ "LIKE": { "sound": true } }),
        json!({ "LIKE": ["nobody", true] }),
        json!([]),
    ] {
        ann.patch(PATH, bad).await.refused(400, "VALIDATION_FAILED");
    }
}

#[tokio::test]
async fn a_disabled_notification_kind_does_not_affect_other_kinds() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    ann.patch(PATH, json!({ "POST": { "from": "nobody" } })).await.ok();
    let post = ann.writes("hello").await;
    bob.replies(&post, "hi").await;
    bob.likes(&post).await;
    ticks(&world).await;
    assert_eq!(one(&ann).await["type"], "LIKE");
    ann.patch(PATH, json!({ "POST": { "from": "everyone" } })).await.ok();
    world.advance(1).await;
    bob.replies(&post, "hi again").await;
    ticks(&world).await;
    let groups = notifications(&ann).await;
    let newest = json!([groups[0]["type"], groups[0]["count"]]);
    assert_eq!(newest, json!(["POST", 1]), "an event while the kind was disabled is not added later");
}

#[tokio::test]
async fn a_preference_can_limit_notifications_to_followed_users() {
    let (world, [ann, bob, cleo, dan]) = World::with(["ann", "bob", "cleo", "dan"]).await;
    ann.follows(&cleo).await;
    ann.patch(PATH, json!({ "POST": { "from": "following" } })).await.ok();
    let (both, alone) = (ann.writes("one").await, ann.writes("two").await);
    for person in [&bob, &cleo, &dan] {
        world.advance(1).await;
        person.replies(&both, "hi").await;
    }
    dan.replies(&alone, "hi").await;
    ticks(&world).await;
    let shown = fields(&ann, ["targetId", "count", "actorIds"]).await;
    assert_eq!(shown, json!([both.id, 1, [cleo.public_id]]));
    assert_eq!(super::unread(&ann).await, 1);
}

#[tokio::test]
async fn concurrent_preference_changes_are_all_kept() {
    let (_world, [ann]) = World::with(["ann"]).await;
    let kinds = ["LIKE", "POST", "QUOTE", "REPOST"];
    let change = async |kind: &str| ann.patch(PATH, json!({ kind: { "push": false } })).await.ok();
    futures::future::join_all(kinds.iter().map(|kind| change(kind))).await;
    let all = ann.get(PATH).await.ok().data().clone();
    assert!(kinds.iter().all(|kind| all[*kind]["push"] == false), "{all}");
}

#[tokio::test]
async fn preference_requests_stay_within_their_cost_budgets() {
    let (world, [ann]) = World::with(["ann"]).await;
    // Each budget includes the read of the session.
    world.budget("preferences", ann.get(PATH)).await;
    let first = ann.patch(PATH, json!({ "LIKE": { "push": false } }));
    world.budget("change preferences the first time", first).await;
    world.budget("change preferences", ann.patch(PATH, json!({ "POST": { "push": false } }))).await;
}
