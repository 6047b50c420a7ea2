//! A request whose transaction was refused can be sent again with the same idempotency key, corrected or unchanged.

use serde_json::{Value, json};
use tests::World;

use super::KEY;
use crate::{auth::form, circles::creates_circle, deletion::HOUR};

#[tokio::test]
async fn a_registration_can_reuse_its_key_after_a_taken_username() {
    let (world, [_ann]) = World::with(["ann"]).await;
    let registers = async |body: Value| world.anyone.post_once(KEY, "/auth/register", body).await;
    let mut taken = form("bob");
    taken["username"] = json!("ann");
    let refused = registers(taken.clone()).await;
    assert_eq!(refused.refused(400, "VALIDATION_FAILED"), "username: is already taken");
    let registered = registers(form("bob")).await.ok();
    assert_eq!(registers(form("bob")).await.ok().data(), registered.data());
    let bob = world.anyone.with_token(registered.data()["accessToken"].as_str().unwrap());
    assert_eq!(bob.get("/auth/me").await.ok().data()["username"], "bob");
    let other = registers(taken).await;
    assert_eq!(other.refused(400, "VALIDATION_FAILED"), "idempotency-key: was used for another request");
}

#[tokio::test]
async fn a_follow_can_reuse_its_key_after_a_block_ends() {
    let (_world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let follows = async || ann.post_once(KEY, &bob.path("/follower"), json!({ "isFollowing": true })).await;
    bob.blocks(&ann).await;
    follows().await.refused(403, "FORBIDDEN");
    bob.post(&ann.path("/block"), json!({ "isBlocked": false })).await.ok();
    assert_eq!(bob.meets(&bob).await["followersCount"], 0, "the refused request had no effect");
    for _ in 0..2 {
        assert_eq!(follows().await.ok().data(), &json!({ "isFollowing": true, "followersCount": 1 }));
    }
    assert_eq!(bob.meets(&bob).await["followersCount"], 1);
    assert_eq!(bob.get(&bob.path("/followers")).await.ok().column("username"), ["ann"]);
}

#[tokio::test]
async fn a_new_circle_can_reuse_its_key_after_the_daily_limit() {
    let (world, [ann]) = World::builder().without_ticks().start_with(["ann"]).await;
    // The limit counts until midnight. By then, a stored answer would still be valid for 23 hours.
    world.advance(23 * HOUR).await;
    let ann = ann.signs_in().await;
    for name in ["one", "two", "three"] {
        creates_circle(&ann, name).await;
    }
    let fourth = ann.post_once(KEY, "/circles", json!({ "name": "refused" })).await;
    fourth.refused(429, "TOO_MANY_REQUESTS");
    assert_eq!(ann.get("/circles").await.ok().rows().len(), 3);
    world.advance(HOUR).await;
    let ann = ann.signs_in().await;
    let corrected = async || ann.post_once(KEY, "/circles", json!({ "name": "four" })).await.ok();
    let created = corrected().await;
    assert_eq!((created.status, &created.data()["name"]), (201, &json!("four")));
    assert_eq!(corrected().await.data(), created.data());
    let names = ann.get("/circles").await.ok().column("name");
    assert_eq!((names.len(), names.contains(&json!("four"))), (4, true), "{names:?}");
}
