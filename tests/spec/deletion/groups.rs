//! Message groups of deleted users.

use reqwest::Method;
use serde_json::{Value, json};
use tests::{Person, World, send};

use super::{runs_deletions, traces::rows_with};
use crate::messages::{departs, id, listed, makes, reads, says};

/// Returns the sender and the text of each message in a group, newest first.
async fn history(user: &Person, group: &str) -> Vec<(Value, Value)> {
    let messages = reads(user, group).await;
    messages
        .iter()
        .map(|message| (message["sender"]["username"].clone(), message["content"].clone()))
        .collect()
}

#[tokio::test]
async fn a_deleted_users_messages_do_not_count_as_unread() {
    let (world, [ann, bob, eve]) = World::builder().without_ticks().start_with(["ann", "bob", "eve"]).await;
    let group = id(&makes(&ann, "crowd", &["bob", "eve"]).await);
    says(&ann, &group, "first").await;
    says(&bob, &group, "second").await;
    says(&ann, &group, "third").await;
    world.settle().await;
    ann.leaves().await;
    world.settle().await;
    let gone = (Value::Null, json!("This message was deleted."));
    let expected = vec![gone.clone(), (json!("bob"), json!("second")), gone];
    assert_eq!(history(&eve, &group).await, expected);
    let listed = eve.get("/message-group").await.ok();
    let listed = &listed.rows()[0];
    assert_eq!((&listed["unreadCount"], &listed["lastMessagePreview"]), (&json!(1), &json!("second")));
    assert_eq!(
        (&listed["membersCount"], &listed["createdById"]),
        (&json!(2), &json!([&bob, &eve].into_iter().min_by_key(|user| &user.id).unwrap().public_id)),
        "the longest-standing member inherits the group"
    );
    says(&eve, &group, "fourth").await;
    assert_eq!(bob.get("/message-group").await.ok().rows()[0]["unreadCount"], 1);
}

#[tokio::test]
async fn a_private_group_is_erased_with_its_last_member() {
    let (world, [ann, bob]) = World::builder().without_ticks().start_with(["ann", "bob"]).await;
    let group = ann.chats_with("bob").await;
    says(&ann, &group, "hello bob").await;
    says(&bob, &group, "hello ann").await;
    ann.leaves().await;
    world.settle().await;
    assert_eq!(history(&bob, &group).await[1], (Value::Null, json!("This message was deleted.")));
    let messages = format!("/message-group/{group}/messages");
    let answer = bob.post(&messages, json!({ "content": "still there?" })).await;
    let message = answer.refused(403, "FORBIDDEN");
    assert!(message.starts_with("this user deleted their account"), "{message}");
    let chat = json!({ "conversationId": group, "content": "still there?" });
    bob.post("/chat/message", chat).await.refused(403, "FORBIDDEN");
    assert_eq!(bob.get(&format!("/message-group/{group}")).await.ok().data()["membersCount"], 1);
    bob.patch(&format!("/message-group/{group}/read"), Value::Null).await.ok();
    bob.leaves().await;
    runs_deletions(&world).await;
    assert_eq!(super::traces::rows_with(&world, &[&group]).await, Vec::<String>::new());
}

#[tokio::test]
async fn deleting_a_user_clears_their_reactions_and_group_names() {
    let (world, [ann, bob, eve]) = World::builder().without_ticks().start_with(["ann", "bob", "eve"]).await;
    for leaves_before in [false, true] {
        let group = id(&makes(&bob, "crowd", &["ann", "eve"]).await);
        says(&ann, &group, "mine").await;
        let theirs = id(&says(&bob, &group, "theirs").await);
        let reaction = format!("/message-group/{group}/messages/{theirs}/reaction");
        send(ann.request(Method::PUT, &reaction).json(&json!({ "emoji": "👍" }))).await.ok();
        let name = json!({ "name": "Ann's idea", "avatar": "https://example.com/ann.png" });
        ann.patch(&format!("/message-group/{group}"), name).await.ok();
        if leaves_before {
            departs(&ann, &group).await.ok();
        }
    }
    world.settle().await;
    ann.leaves().await;
    world.settle().await;
    for group in eve.get("/message-group").await.ok().rows() {
        let read = reads(&eve, group["publicId"].as_str().unwrap()).await;
        assert!(read.iter().all(|message| message["reactions"] == json!([])), "{read:?}");
        assert!(
            read.iter().any(|message| message["isDeleted"] == true)
                && !json!(read).to_string().contains("mine")
        );
        assert_eq!(
            (&group["name"], &group["avatar"], &group["membersCount"]),
            (&Value::Null, &Value::Null, &json!(2))
        );
    }
    runs_deletions(&world).await;
    // Deleted messages stay as stubs without text, with the ID of the sender.
    let left = rows_with(&world, &[&ann.id]).await;
    assert!(left.iter().all(|row| row.contains("/ MSG#")), "{left:?}");
}

#[tokio::test]
async fn deleting_a_user_keeps_group_names_set_by_others() {
    let (world, [ann, bob, _eve]) = World::builder().without_ticks().start_with(["ann", "bob", "eve"]).await;
    let group = id(&makes(&ann, "crowd", &["bob", "eve"]).await);
    let path = format!("/message-group/{group}");
    ann.patch(&path, json!({ "avatar": "https://example.com/ann.png" })).await.ok();
    bob.patch(&path, json!({ "name": "Bob's idea" })).await.ok();
    ann.leaves().await;
    world.settle().await;
    let shown = listed(&bob, &group).await.unwrap();
    assert_eq!((&shown["name"], &shown["avatar"]), (&json!("Bob's idea"), &Value::Null));
}
