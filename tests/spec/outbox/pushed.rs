//! Pushes that are delivered twice.

use serde_json::{Value, json};
use tests::{Fault, World};

use crate::realtime::listener::{Listener, user_channel};

#[tokio::test]
async fn a_duplicate_push_has_the_same_event_id() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let group = ann.chats_with("bob").await;
    let path = format!("/message-group/{group}/messages");
    let channel = user_channel(&bob);
    let mut listener = Listener::of(&world, &bob, &channel).await;
    world.stack.settle(None).await.unwrap();

    ann.post_once("key", &path, json!({ "content": "one" })).await.ok();
    ann.post_once("key", &path, json!({ "content": "one" })).await.ok();
    world.stack.settle(None).await.unwrap();
    let once = listener.received_with_id(&channel, "message:new").await;
    listener.received_nothing().await;

    ann.post(&path, json!({ "content": "two" })).await.ok();
    world.faults.next("PutEvents", Fault::CrashAfter);
    world.stack.settle(None).await.unwrap();
    assert_eq!(world.faults.calm(), 1);
    let [first, again] = [
        listener.received_with_id(&channel, "message:new").await,
        listener.received_with_id(&channel, "message:new").await,
    ];
    assert_eq!(first, again);
    assert_eq!((&once["content"], &first["content"]), (&json!("one"), &json!("two")));
    let id = |data: &Value| data["eventId"].as_str().unwrap().to_owned();
    assert_ne!(id(&once), id(&first));
}
