//! Blocks between members of a crowd, which is a group of three or more users.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tests::{Person, World, check_cost};

use crate::messages::{group_chat, id, makes, says};

#[tokio::test]
async fn a_group_chat_cannot_contain_a_user_and_their_blocker() {
    let (world, [ann, bob, cleo, _dan]) = World::with(["ann", "bob", "cleo", "dan"]).await;
    let others = ["bob", "cleo", "dan"];
    let mut messages = Vec::new();
    for (blocker, blocked) in [(&bob, &cleo), (&cleo, &bob), (&ann, &bob), (&bob, &ann)] {
        blocker.blocks(blocked).await;
        let refused = ann.post("/message-group", json!({ "type": "crowd", "members": others })).await;
        messages.push(refused.refused(403, "FORBIDDEN").to_owned());
        blocker.post(&blocked.path("/block"), Value::Null).await.ok();
    }
    let are_equal = messages.iter().all(|message| *message == messages[0]);
    assert!(are_equal, "the error reveals which user blocks the other: {messages:?}");
    assert!(others.iter().all(|name| !messages[0].contains(name)), "{messages:?}");
    assert_eq!(ann.get("/message-group").await.ok().rows().len(), 0);
    let (made, cost) = world.cost_of(makes(&ann, "crowd", &others)).await;
    assert_eq!(made.data()["membersCount"], 4);
    check_cost("create a crowd of four", &cost);
    assert_eq!(cost.operations["Query"], 3, "one query for blocks per member except the last: {cost:?}");
}

#[tokio::test]
async fn a_block_after_joining_hides_chat_members_from_each_other() {
    let (world, [ann, bob, cleo], group) = group_chat().await;
    for (user, text) in [(&ann, "ann's"), (&bob, "bob's"), (&cleo, "cleo's")] {
        world.advance(1).await;
        says(user, &group, text).await;
    }
    assert_eq!(contents(&ann, &group).await, ["cleo's", "bob's", "ann's"]);
    ann.blocks(&cleo).await;
    for (user, history, members, preview) in [
        (&ann, vec!["bob's", "ann's"], vec!["ann", "bob"], Value::Null),
        (&bob, vec!["cleo's", "bob's", "ann's"], vec!["ann", "bob", "cleo"], json!("cleo's")),
        (&cleo, vec!["cleo's", "bob's"], vec!["bob", "cleo"], json!("cleo's")),
    ] {
        assert_eq!(contents(user, &group).await, history, "{}", user.name);
        let chat = user.get(&format!("/chat/{group}/messages")).await.ok();
        assert_eq!(chat.column("content"), history, "{}", user.name);
        let listed = user.get("/message-group").await.ok().rows()[0].clone();
        let shown = listed["members"].as_array().unwrap().iter();
        let shown: BTreeSet<_> = shown.map(|member| member["username"].as_str().unwrap()).collect();
        assert_eq!((shown, &listed["lastMessagePreview"]), (BTreeSet::from_iter(members), &preview));
    }
    ann.post(&cleo.path("/block"), Value::Null).await.ok();
    assert_eq!(contents(&ann, &group).await, ["cleo's", "bob's", "ann's"]);
}

#[tokio::test]
async fn the_seen_status_ignores_members_hidden_by_a_block() {
    let (_world, [ann, bob, cleo], group) = group_chat().await;
    says(&ann, &group, "hi").await;
    cleo.patch(&format!("/message-group/{group}/read"), Value::Null).await.ok();
    let status = async || ann.get(&format!("/chat/{group}/messages")).await.ok().column("status");
    assert_eq!(status().await, ["DELIVERED"]);
    cleo.blocks(&ann).await;
    assert_eq!(status().await, ["SENT"]);
    bob.patch(&format!("/message-group/{group}/read"), Value::Null).await.ok();
    assert_eq!(status().await, ["SEEN"], "all members except cleo have read the message");
}

#[tokio::test]
async fn pages_of_messages_stay_full_if_some_are_hidden() {
    let world = World::builder().settings(&[("WRITE_LIMIT_PER_5_MIN", "1000")]).start().await;
    let [ann, bob, _cleo] = world.people(["ann", "bob", "cleo"]).await;
    let group = id(&makes(&ann, "crowd", &["bob", "cleo"]).await);
    let mut written = Vec::new();
    for number in 0..5 {
        written.push(id(&says(&ann, &group, &number.to_string()).await));
        for _ in 0..7 {
            says(&bob, &group, "noise").await;
        }
    }
    written.reverse();
    ann.blocks(&bob).await;
    let path = format!("/message-group/{group}/messages");
    assert_eq!(ann.all_in_full_pages(&path, 2, "publicId").await, written);
}

#[tokio::test]
async fn a_page_of_hidden_messages_is_short_and_has_a_cursor() {
    let world = World::builder().settings(&[("WRITE_LIMIT_PER_5_MIN", "1000")]).start().await;
    let [ann, bob, _cleo] = world.people(["ann", "bob", "cleo"]).await;
    let group = id(&makes(&ann, "crowd", &["bob", "cleo"]).await);
    says(&ann, &group, "first").await;
    for _ in 0..195 {
        says(&bob, &group, "noise").await;
    }
    ann.blocks(&bob).await;
    let path = format!("/message-group/{group}/messages");
    let request = format!("{path}?take=1");
    let page = world.budget("messages, most of them hidden", ann.get(&request)).await.ok();
    assert!(page.rows().is_empty(), "one request reads a limited number of messages");
    assert_eq!(ann.all(&path, 1, "content").await, ["first"]);
}

async fn contents(user: &Person, group: &str) -> Vec<Value> {
    user.get(&format!("/message-group/{group}/messages")).await.ok().column("content")
}
