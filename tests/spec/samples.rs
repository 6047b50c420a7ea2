//! The sample events: one a function, each true.

use std::path::Path;

use serde_json::{Value, json};
use tests::World;

#[tokio::test]
async fn every_function_answers_its_sample() {
    let world = World::new().await;
    let ann = super::admin::administrator(&world, "ann", shared::users::Role::Admin).await;
    let token = ann.token().unwrap();
    for function in world.stack.running().functions.keys() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../events/{function}.json"));
        let text = std::fs::read_to_string(&file).unwrap_or_else(|_| panic!("no sample for {function}"));
        let event: Value = serde_json::from_str(&text.replace("ACCESS_TOKEN", token)).unwrap();
        let answer = world.stack.invoke(function, &event).await.unwrap();
        match event.get("Records") {
            Some(_) => assert_eq!(answer, json!({ "batchItemFailures": [] }), "{function}"),
            // A sample cannot be signed: the keys are generated.
            None if matches!(function.as_str(), "pusher" | "uploads" | "webhooks") => {
                assert_eq!(answer["statusCode"], 401, "{function}: {answer}");
            }
            None => assert_eq!(answer["statusCode"], 200, "{function}: {answer}"),
        }
    }
}
