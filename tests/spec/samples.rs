//! The sample event of each function is handled successfully.

use std::path::Path;

use serde_json::{Value, json};
use tests::World;

#[tokio::test]
async fn every_function_handles_its_sample_event() {
    let world = World::new().await;
    let ann = super::admin::administrator(&world, "ann", domain::people::users::Role::Admin).await;
    let token = ann.token().unwrap();
    for function in world.stack.running().functions.keys() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../events/{function}.json"));
        let text = std::fs::read_to_string(&file).unwrap_or_else(|_| panic!("no sample for {function}"));
        let event: Value =
            serde_json::from_str(&text.replace("ACCESS_TOKEN", token).replace("USER_ID", &ann.id)).unwrap();
        let answer = world.stack.invoke(function, &event).await.unwrap();
        let status = match function.as_str() {
            // The sample cannot be signed, because the provider's key is generated at startup.
            "webhooks-api" => 401,
            "uploads-api" => 201,
            _ => 200,
        };
        match event.get("Records") {
            Some(_) => assert_eq!(answer, json!({ "batchItemFailures": [] }), "{function}"),
            None => assert_eq!(answer["statusCode"], status, "{function}: {answer}"),
        }
    }
}
