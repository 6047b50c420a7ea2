//! The service with the parameters of the `prod` stage.

use std::collections::BTreeMap;

use serde_json::json;
use tests::{Person, World};

#[tokio::test]
async fn an_hour_with_production_settings_leaves_no_message() {
    let (world, [mut ann, mut bob]) = production_world().await;
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
    assert!(!unread.rows().is_empty(), "likes and follows notify the author");
}

#[tokio::test]
async fn private_posts_are_hidden_with_production_settings() {
    let (_world, [ann, bob]) = production_world().await;
    for visibility in ["PRIVATE", "FRIEND"] {
        let post = ann.posts(json!({ "content": "mine", "visibility": visibility })).await;
        bob.get(&post.path("")).await.refused(404, "NOT_FOUND");
        bob.post(&post.path("/like"), json!({ "isLiked": true })).await.refused(404, "NOT_FOUND");
    }
}

#[tokio::test]
async fn production_refuses_requests_that_bypass_cloudfront() {
    let parameters = parameters();
    assert_eq!(parameters.get("FrontDomain"), None);
    let front = [("FRONT_ENABLED", &*parameters["FrontEnabled"]), ("FRONT_ONLY", &*parameters["FrontOnly"])];
    let world = World::builder().settings(&front).start().await;
    world.anyone.get("/posts/news-feed").await.refused(403, "FORBIDDEN");
}

/// Starts a world with the parameters of `prod` as environment variables, without a push provider. Requests need not
/// come through CloudFront.
async fn production_world() -> (World, [Person; 2]) {
    let parameters = parameters();
    let names: Vec<_> = parameters.keys().map(|name| variable(name)).collect();
    let settings = names.iter().map(String::as_str).zip(parameters.values().map(String::as_str));
    let settings: Vec<_> = settings.chain([("PUSHER_HOST", ""), ("FRONT_ONLY", "off")]).collect();
    World::builder().settings(&settings).start_with(["ann", "bob"]).await
}

fn parameters() -> BTreeMap<String, String> {
    serde_json::from_str(include_str!("../../infra/parameters/prod.json")).unwrap()
}

/// Converts a parameter name to an environment variable, such as `AppUrl` to `APP_URL`.
fn variable(parameter: &str) -> String {
    let convert = |letter: char| match letter.is_uppercase() {
        true => format!("_{letter}"),
        false => letter.to_uppercase().to_string(),
    };
    parameter.chars().map(convert).collect::<String>().trim_start_matches('_').to_owned()
}
