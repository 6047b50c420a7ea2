//! The service with the parameters of the `prod` stage.

use std::collections::BTreeMap;

use serde_json::json;
use tests::World;

const PARAMETERS: &str = include_str!("../../infra/parameters/prod.json");

#[tokio::test]
async fn no_message_is_left_after_an_hour_of_activity() {
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
    assert!(!unread.rows().is_empty(), "events notify the author");
}

#[tokio::test]
async fn private_posts_are_invisible_to_other_users() {
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

/// Returns the environment variables for the parameters. Disables the local stack's push provider.
fn settings() -> Vec<(String, String)> {
    let parameters: BTreeMap<String, String> = serde_json::from_str(PARAMETERS).unwrap();
    let settings = parameters.into_iter().map(|(name, value)| (variable(&name), value));
    settings.chain([("PUSHER_HOST".to_owned(), String::new())]).collect()
}

/// Converts a parameter name to an environment variable, such as `AppUrl` to `APP_URL`.
fn variable(parameter: &str) -> String {
    let convert = |letter: char| match letter.is_uppercase() {
        true => format!("_{letter}"),
        false => letter.to_uppercase().to_string(),
    };
    parameter.chars().map(convert).collect::<String>().trim_start_matches('_').to_owned()
}
