//! A request body can contain only the fields that the API reference describes.

use domain::people::users::Role;
use serde_json::{Value, json};
use tests::{World, send};

use super::{
    UNKNOWN_ID,
    document::{OPEN, Operation, is_open, operations},
};
use crate::{admin::administrator, setup::MANY_WRITES};

#[tokio::test]
async fn the_error_for_an_unknown_field_names_the_field() {
    let world = World::builder().settings(MANY_WRITES).start().await;
    let root = administrator(&world, "root", Role::SuperAdmin).await;
    let all = operations();
    // The body of this route is a map, so its field names are not fixed.
    let is_map = |operation: &Operation| operation.path == "/me/notification-preferences";
    let closed = all
        .iter()
        .filter(|operation| operation.example.is_some() && !is_open(&operation.path) && !is_map(operation));
    assert!(closed.clone().count() > 30);
    for operation in closed {
        let answer =
            send(operation.request(&root, "").json(&with_more(operation, &["color", "shade"]))).await;
        let message = answer.refused(400, "VALIDATION_FAILED");
        assert!(message.starts_with("color, shade: must be omitted"), "{}: {answer}", operation.name());
    }
}

#[tokio::test]
async fn webhooks_of_other_services_accept_unknown_fields() {
    let (_world, [ann]) = World::with(["ann"]).await;
    let all = operations();
    let open = all.iter().filter(|operation| operation.example.is_some() && is_open(&operation.path));
    assert!(open.clone().count() >= OPEN.len());
    for operation in open {
        let answer = send(operation.request(&ann, "").json(&with_more(operation, &["color"]))).await;
        assert!(!answer.text.contains("color"), "{}: {answer}", operation.name());
    }
}

#[tokio::test]
async fn the_error_for_a_nested_unknown_field_contains_its_path() {
    let (_world, [ann]) = World::with(["ann"]).await;
    let media = json!([{ "id": UNKNOWN_ID, "color": 1, "key": "x", "url": "https://example.com/x.png" }]);
    for path in
        ["/posts".to_owned(), format!("/posts/{UNKNOWN_ID}/reply"), format!("/posts/{UNKNOWN_ID}/quote")]
    {
        let answer = ann.post(&path, json!({ "content": "hi", "media": media })).await;
        assert!(answer.refused(400, "VALIDATION_FAILED").starts_with("media[0].color:"), "{answer}");
    }
    let long = json!({ "content": "hi", ("x".repeat(10_000)): 1 });
    assert!(ann.post("/posts", long).await.refused(400, "VALIDATION_FAILED").len() < 300);
}

#[test]
fn the_api_reference_forbids_unknown_fields_in_bodies() {
    let document = serde_json::to_value(documents::openapi::document()).unwrap();
    let bodies = document["paths"].as_object().unwrap().iter().filter(|(path, _)| !is_open(path));
    let bodies = bodies.flat_map(|(_, item)| item.as_object().unwrap().values());
    let mut checked = 0;
    for body in bodies.filter_map(|operation| operation.get("requestBody")) {
        for name in schemas(body) {
            let schema = &document["components"]["schemas"][&name];
            let others = &schema["additionalProperties"];
            let closed = schema["type"] != "object" || *others == false || others.is_object();
            assert!(closed, "{name} allows other fields");
            checked += 1;
        }
    }
    assert!(checked > 25, "{checked}");
}

/// Returns the operation's example with additional fields.
fn with_more(operation: &Operation, more: &[&str]) -> Value {
    let mut body = operation.example.clone().unwrap();
    more.iter().for_each(|name| body[*name] = json!(1));
    body
}

fn schemas(body: &Value) -> Vec<String> {
    let text = body.to_string();
    let references = text.split("#/components/schemas/").skip(1);
    references.map(|reference| reference.split('"').next().unwrap().to_owned()).collect()
}
