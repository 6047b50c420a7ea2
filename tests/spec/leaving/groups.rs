//! Message groups of somebody who leaves.

use serde_json::{Value, json};
use tests::{Person, World};

use super::is_erased;

async fn crowd(who: &Person, others: &[&str]) -> String {
    let body = json!({ "type": "crowd", "members": others });
    let group = who.post("/message-group", body).await.ok();
    group.data()["publicId"].as_str().unwrap().to_owned()
}

async fn says(who: &Person, group: &str, text: &str) {
    who.post(&format!("/message-group/{group}/messages"), json!({ "content": text })).await.ok();
}

async fn history(who: &Person, group: &str) -> Vec<(Value, Value)> {
    let messages = who.get(&format!("/message-group/{group}/messages")).await.ok();
    messages.rows().iter().map(|it| (it["sender"]["username"].clone(), it["content"].clone())).collect()
}

#[tokio::test]
async fn messages_stay_as_stubs_and_what_is_unread_stays_exact() {
    let world = World::of_days(&[]).await;
    let [ann, bob, eve] = world.people(["ann", "bob", "eve"]).await;
    let group = crowd(&ann, &["bob", "eve"]).await;
    says(&ann, &group, "first").await;
    says(&bob, &group, "second").await;
    says(&ann, &group, "third").await;
    world.settle().await;
    ann.leaves().await;
    world.settle().await;
    let gone = (Value::Null, json!("This message is gone."));
    let expected = vec![gone.clone(), (json!("bob"), json!("second")), gone];
    assert_eq!(history(&eve, &group).await, expected);
    let listed = eve.get("/message-group").await.ok();
    let listed = &listed.rows()[0];
    assert_eq!(
        (&listed["unreadCount"], &listed["lastMessagePreview"]),
        (&json!(3), &json!("This message is gone."))
    );
    assert_eq!(
        (&listed["membersCount"], &listed["createdById"]),
        (&json!(2), &json!((&bob.id).min(&eve.id))),
        "the eldest inherits"
    );
    says(&eve, &group, "fourth").await;
    assert_eq!(bob.get("/message-group").await.ok().rows()[0]["unreadCount"], 3);
}

#[tokio::test]
async fn a_private_group_stays_with_the_other_and_goes_with_the_last() {
    let world = World::of_days(&[]).await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let group = ann.chats_with("bob").await;
    says(&ann, &group, "hello bob").await;
    says(&bob, &group, "hello ann").await;
    ann.leaves().await;
    world.settle().await;
    assert_eq!(history(&bob, &group).await[1], (Value::Null, json!("This message is gone.")));
    bob.leaves().await;
    is_erased(&world).await;
    assert_eq!(super::traces::rows_with(&world, &[&group]).await, Vec::<String>::new());
}
