//! The service with the parameters of the `prod` stage.

use std::collections::BTreeMap;

use serde_json::json;
use tests::World;

const PARAMETERS: &str = include_str!("../../infra/parameters/prod.json");

#[tokio::test]
async fn production_settings_leave_no_message_after_an_hour() {
    let world = production_world().await;
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
async fn production_settings_hide_private_posts_from_other_users() {
    let world = production_world().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    for visibility in ["PRIVATE", "FRIEND"] {
        let post = ann.posts(json!({ "content": "mine", "visibility": visibility })).await;
        bob.get(&post.path("")).await.refused(404, "NOT_FOUND");
        bob.post(&post.path("/like"), json!({ "isLiked": true })).await.refused(404, "NOT_FOUND");
    }
}

/// Starts a world with the parameters as environment variables, but without the local stack's push provider.
async fn production_world() -> World {
    let parameters: BTreeMap<String, String> = serde_json::from_str(PARAMETERS).unwrap();
    let names: Vec<_> = parameters.keys().map(|name| variable(name)).collect();
    let settings = names.iter().map(String::as_str).zip(parameters.values().map(String::as_str));
    let settings: Vec<_> = settings.chain([("PUSHER_HOST", "")]).collect();
    World::builder().settings(&settings).start().await
}

/// Converts a parameter name to an environment variable, such as `AppUrl` to `APP_URL`.
fn variable(parameter: &str) -> String {
    let convert = |letter: char| match letter.is_uppercase() {
        true => format!("_{letter}"),
        false => letter.to_uppercase().to_string(),
    };
    parameter.chars().map(convert).collect::<String>().trim_start_matches('_').to_owned()
}
