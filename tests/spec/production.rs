//! The stage prod, as its file of parameters has it.

use std::collections::BTreeMap;

use serde_json::json;
use tests::World;

const PARAMETERS: &str = include_str!("../../infra/parameters/prod.json");

#[tokio::test]
async fn an_hour_leaves_no_messages() {
    let settings = settings();
    let settings: Vec<_> = settings.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let world = World::builder().settings(&settings).start().await;
    let [mut ann, mut bob] = world.people(["ann", "bob"]).await;
    for round in 0..12 {
        let post = ann.writes(&format!("buy now #round{round}")).await;
        bob.likes(&post).await;
        bob.follows(&ann).await;
        bob.post(&post.path("/report"), json!({ "reason": "spam", "type": "post" })).await;
        world.advance(300).await;
        (ann, bob) = (ann.refreshes().await, bob.refreshes().await);
    }
    world.settle().await;
    let unread = ann.get("/notification").await.ok();
    assert!(!unread.rows().is_empty(), "somebody has heard of what happened");
}

#[tokio::test]
async fn private_posts_are_invisible_to_others() {
    let settings = settings();
    let settings: Vec<_> = settings.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let world = World::builder().settings(&settings).start().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    for visibility in ["PRIVATE", "FRIEND"] {
        let post = ann.posts(json!({ "content": "mine", "visibility": visibility })).await;
        bob.get(&post.path("")).await.refused(404, "NOT_FOUND");
        bob.post(&post.path("/like"), json!({ "isLiked": true })).await.refused(404, "NOT_FOUND");
    }
}

/// The parameters, by the variables that set them. The stage names no push provider, where the local stack is one.
fn settings() -> Vec<(String, String)> {
    let parameters: BTreeMap<String, String> = serde_json::from_str(PARAMETERS).unwrap();
    let set = parameters.into_iter().map(|(name, value)| (variable(&name), value));
    set.chain([("PUSHER_HOST".to_owned(), String::new())]).collect()
}

/// `AppUrl` is `APP_URL`.
fn variable(parameter: &str) -> String {
    let letter = |it: char| if it.is_uppercase() { format!("_{it}") } else { it.to_uppercase().to_string() };
    parameter.chars().map(letter).collect::<String>().trim_start_matches('_').to_owned()
}
