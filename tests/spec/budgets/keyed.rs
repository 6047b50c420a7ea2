//! Costs of requests with an idempotency key.

use serde_json::json;
use tests::{World, send};

#[tokio::test]
async fn requests_with_an_idempotency_key_stay_within_cost_budgets() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann.writes(&super::kilobyte()).await;
    let [like, follow, mute] = [post.path("/like"), ann.path("/follower"), ann.path("/mute")];
    let like = bob.post_once("like", &like, json!({ "isLiked": true }));
    world.budget("like with an `Idempotency-Key`", like).await.ok();
    let follow = bob.post_once("follow", &follow, json!({ "isFollowing": true }));
    world.budget("follow with an `Idempotency-Key`", follow).await.ok();
    let mute = bob.post_once("mute", &mute, json!({ "isMuted": true }));
    world.budget("mute with an `Idempotency-Key`", mute).await.ok();
    let delete = ann.request(reqwest::Method::DELETE, &post.path("")).header("idempotency-key", "delete");
    world.budget("delete a post with an `Idempotency-Key`", send(delete)).await.ok();
}
