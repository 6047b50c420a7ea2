//! The sample events: one a function, each true.

use std::path::Path;

use serde_json::{Value, json};
use tests::World;

#[tokio::test]
async fn every_function_answers_its_sample() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    let token = ann.token().unwrap();
    for function in world.stack.running().functions.keys() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../events/{function}.json"));
        let text = std::fs::read_to_string(&file).unwrap_or_else(|_| panic!("no sample for {function}"));
        let event: Value =
            serde_json::from_str(&text.replace("ACCESS_TOKEN", token).replace("USER_ID", &ann.id)).unwrap();
        let answer = world.stack.invoke(function, &event).await.unwrap();
        match event.get("Records") {
            Some(_) => assert_eq!(answer, json!({ "batchItemFailures": [] }), "{function}"),
            // A sample cannot be signed: the key is generated.
            None if function == "webhooks" => assert_eq!(answer["statusCode"], 401, "{answer}"),
            None if function == "uploads" => assert_eq!(answer["statusCode"], 201, "{answer}"),
            None => assert_eq!(answer["statusCode"], 200, "{function}: {answer}"),
        }
    }
}
