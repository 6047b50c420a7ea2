//! Pushes contain public user IDs.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tests::{Person, PushService, World};

use super::provider::Provider;
use crate::messages::{adds, departs, id, makes, reacts, removes, says};

const EVENTS: [&str; 12] = [
    "friend-request:accepted",
    "friend-request:new",
    "group:changed",
    "member:joined",
    "member:left",
    "message-seen",
    "message:deleted",
    "message:edited",
    "message:new",
    "message:reaction",
    "notification",
    "notification:new",
];

#[tokio::test]
async fn no_push_contains_an_internal_user_id() {
    let (provider, service) = (Provider::starts().await, PushService::new().await);
    let world = provider.world_with(&[("INNER_ADDRESSES", "allowed")]).await;
    let people = world.people(["ann", "bob", "cleo", "dan"]).await;
    let browser = service.browser("firefox");
    people[0].post("/me/devices", browser.subscription()).await.ok();
    people_meet(&world, &people).await;
    people_talk(&people).await;
    for _ in 0..2 {
        world.advance_and_settle(40).await;
    }
    let pushes: Vec<_> = provider.calls().iter().flat_map(|call| call.named_data()).collect();
    let names: BTreeSet<_> = pushes.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names.into_iter().collect::<Vec<_>>(), EVENTS);
    let web = browser.reads();
    assert!(web.iter().any(|push| push["targetType"] == "USER"), "{web:?}");
    let all = format!("{pushes:?}{web:?}");
    for person in &people {
        assert!(!all.contains(&person.id), "the ID of {}", person.name);
    }
    assert!(people.iter().any(|person| all.contains(&person.public_id)));
}

async fn people_meet(world: &World, [ann, bob, cleo, dan]: &[Person; 4]) {
    bob.befriends(ann).await;
    ann.patch("/me/friend-requests/bob/accept", Value::Null).await.ok();
    dan.befriends(ann).await;
    cleo.follows(ann).await;
    let post = ann.posts(json!({ "content": "hello", "mentions": [bob.id] })).await;
    cleo.replies(&post, "hi").await;
    world.settle().await;
}

async fn people_talk([ann, bob, cleo, dan]: &[Person; 4]) {
    let group = id(&makes(ann, "crowd", &["bob", "cleo"]).await);
    let path = format!("/message-group/{group}");
    let sent = id(&says(ann, &group, "hello").await);
    let message = format!("{path}/messages/{sent}");
    ann.patch(&message, json!({ "content": "hi" })).await.ok();
    reacts(bob, &group, &sent, "👍").await.ok();
    bob.patch(&format!("{path}/read"), Value::Null).await.ok();
    let other = id(&says(ann, &group, "more").await);
    ann.delete(&format!("{path}/messages/{other}")).await.ok();
    ann.patch(&path, json!({ "name": "Sunday runners" })).await.ok();
    adds(ann, &group, "dan").await.ok();
    removes(ann, &group, cleo).await.ok();
    departs(dan, &group).await.ok();
}
