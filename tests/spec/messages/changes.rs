//! Editing and deleting messages.

use reqwest::Method;
use serde_json::{Value, json};
use tests::{Person, World, send};

use super::{group_chat, id, listed, makes, private_group, reads, replies::replies, says, unread};
use crate::{routes::UNKNOWN_ID, setup::crowd};

fn path(group: &str, message: &str) -> String {
    format!("/message-group/{group}/messages/{message}")
}

async fn edits(user: &Person, group: &str, message: &str, text: &str) -> tests::Answer {
    user.patch(&path(group, message), json!({ "content": text })).await
}

#[tokio::test]
async fn a_sender_can_edit_a_message_for_15_minutes() {
    let (world, [ann, bob], group) = private_group().await;
    let first = id(&says(&ann, &group, "first").await);
    world.advance(1).await;
    let last = id(&says(&ann, &group, "last").await);
    world.advance(60).await;
    let edited = edits(&ann, &group, &last, "  newest ").await.ok();
    let shown = ["content", "editedAt", "isDeleted"].map(|field| &edited.data()[field]);
    assert_eq!(json!(shown), json!(["newest", "2026-01-01T00:01:01.000Z", false]));
    edits(&ann, &group, &first, "oldest").await.ok();
    let read = reads(&bob, &group).await;
    assert_eq!([&read[0]["content"], &read[1]["content"]], [&json!("newest"), &json!("oldest")]);
    let preview = listed(&bob, &group).await.unwrap()["lastMessagePreview"].clone();
    assert_eq!(preview, "newest", "an edit of an older message does not change it");
    assert_eq!(unread(&bob).await, 2);
    edits(&bob, &group, &last, "mine").await.refused(403, "FORBIDDEN");
    for text in ["", &"x".repeat(1001)] {
        let refused = edits(&ann, &group, &last, text).await;
        assert_eq!(refused.refused(400, "VALIDATION_FAILED"), "content: must have 1 to 1000 characters");
    }
    edits(&ann, &group, UNKNOWN_ID, "x").await.refused(404, "NOT_FOUND");
    world.advance(14 * 60 + 1).await;
    let ann = ann.signs_in().await;
    edits(&ann, &group, &last, "too late").await.refused(403, "FORBIDDEN");
}

#[tokio::test]
async fn an_edit_to_the_same_text_does_not_mark_a_message_as_edited() {
    let (world, [ann, _bob], group) = private_group().await;
    let picture = json!({ "content": "https://example.com/a.png", "type": "IMAGE" });
    let sent = id(&ann.post(&format!("/message-group/{group}/messages"), picture).await.ok());
    edits(&ann, &group, &sent, "x").await.refused(403, "FORBIDDEN");
    let text = id(&says(&ann, &group, "hello").await);
    let edit = edits(&ann, &group, &text, "hello");
    let same = world.budget("edit a message to the same text", edit).await;
    assert_eq!(same.ok().data()["editedAt"], Value::Null);
}

#[tokio::test]
async fn a_deleted_message_becomes_a_stub_without_its_text() {
    let (world, [ann, bob, cleo], group) = group_chat().await;
    let sent = id(&says(&ann, &group, "secret").await);
    let answer = id(&replies(&bob, &group, &sent, "ok").await.ok());
    bob.delete(&path(&group, &sent)).await.refused(403, "FORBIDDEN");
    world.advance(3600).await;
    let [ann, cleo] = [ann.signs_in().await, cleo.signs_in().await];
    let stub = ann.delete(&path(&group, &sent)).await.ok();
    assert_eq!((&stub.data()["isDeleted"], &stub.data()["isMine"]), (&json!(true), &json!(true)));
    ann.delete(&path(&group, &sent)).await.refused(404, "NOT_FOUND");
    let read = reads(&cleo, &group).await;
    let stub = read.iter().find(|message| message["publicId"] == json!(sent)).unwrap();
    let shown = ["isDeleted", "content", "type", "senderId", "reactions"].map(|field| &stub[field]);
    assert_eq!(json!(shown), json!([true, "This message was deleted.", "TEXT", ann.public_id, []]));
    let reply = read.iter().find(|message| message["publicId"] == json!(answer)).unwrap();
    assert_eq!(reply["replyTo"]["isDeleted"], true);
    assert!(!json!(read).to_string().contains("secret"));
    assert_eq!(unread(&cleo).await, 1, "the deleted message does not count as unread");
    edits(&ann, &group, &sent, "back").await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn deleting_the_newest_message_updates_the_group_preview() {
    let (world, [ann, bob], group) = private_group().await;
    let old = id(&says(&ann, &group, "old").await);
    world.advance(1).await;
    let sent = id(&says(&ann, &group, "secret").await);
    ann.delete(&path(&group, &old)).await.ok();
    assert_eq!(listed(&bob, &group).await.unwrap()["lastMessagePreview"], "secret");
    let older = id(&says(&bob, &group, "older").await);
    ann.delete(&path(&group, &sent)).await.ok();
    assert_eq!(listed(&ann, &group).await.unwrap()["lastMessagePreview"], "older");
    edits(&bob, &group, &older, "changed").await.ok();
    assert_eq!(listed(&ann, &group).await.unwrap()["lastMessagePreview"], "changed");
    bob.delete(&path(&group, &older)).await.ok();
    let empty = listed(&ann, &group).await.unwrap();
    assert_eq!((&empty["lastMessagePreview"], &empty["lastMessageAt"]), (&Value::Null, &Value::Null));
    says(&ann, &group, "again").await.ok();
    assert_eq!(listed(&bob, &group).await.unwrap()["lastMessagePreview"], "again");
}

#[tokio::test]
async fn a_deleted_message_no_longer_counts_as_unread() {
    let (world, [ann, bob], group) = private_group().await;
    let mut sent = Vec::new();
    for text in ["one", "two", "three", "four"] {
        sent.push(id(&says(&ann, &group, text).await));
        world.advance(1).await;
    }
    ann.delete(&path(&group, &sent[3])).await.ok();
    ann.delete(&path(&group, &sent[1])).await.ok();
    assert_eq!(unread(&bob).await, 2);
    bob.patch(&format!("/message-group/{group}/read"), json!({ "lastSeenMessageId": sent[0] })).await.ok();
    assert_eq!(unread(&bob).await, 1);
    ann.delete(&path(&group, &sent[0])).await.ok();
    assert_eq!(unread(&bob).await, 1, "the deleted message was already read");
    ann.delete(&path(&group, &sent[2])).await.ok();
    assert_eq!(unread(&bob).await, 0);
    says(&ann, &group, "five").await.ok();
    assert_eq!(unread(&bob).await, 1);
}

#[tokio::test]
async fn a_deleted_message_does_not_count_as_unread_for_98_members() {
    let (world, [ann]) = World::with(["ann"]).await;
    let fans = crowd(&world, "fan", 0..97).await;
    let names: Vec<_> = fans.iter().map(|fan| fan.name.as_str()).collect();
    let group = id(&makes(&ann, "crowd", &names).await);
    let sent = [id(&says(&ann, &group, "one").await), id(&says(&ann, &group, "two").await)];
    for (number, message) in sent.iter().enumerate() {
        let request = ann.request(Method::DELETE, &path(&group, message));
        send(request.header("idempotency-key", format!("deletion-{number}-of-a-message"))).await.ok();
        for fan in &fans {
            assert_eq!(unread(fan).await, 1 - number as i64, "{}", fan.name);
        }
    }
}

#[tokio::test]
async fn a_group_preview_skips_many_deleted_messages() {
    let (world, [ann, bob], group) = private_group().await;
    says(&bob, &group, "first").await.ok();
    let mut sent = Vec::new();
    for number in 0..25 {
        world.advance(1).await;
        sent.push(id(&says(&ann, &group, &number.to_string()).await));
    }
    for message in &sent {
        ann.delete(&path(&group, message)).await.ok();
    }
    assert_eq!(listed(&bob, &group).await.unwrap()["lastMessagePreview"], "first");
}

#[tokio::test]
async fn a_blocked_user_can_delete_messages_but_not_edit_them() {
    let (_world, [ann, bob], group) = private_group().await;
    let sent = id(&says(&ann, &group, "hello").await);
    bob.blocks(&ann).await;
    edits(&ann, &group, &sent, "bye").await.refused(403, "FORBIDDEN");
    ann.delete(&path(&group, &sent)).await.ok();
}

#[tokio::test]
async fn a_late_edit_keeps_the_group_preview_of_a_newer_message() {
    let (world, [ann, bob], group) = private_group().await;
    let sent = id(&says(&ann, &group, "one").await);
    world.advance(1).await;
    let (edited, _) = world
        .faults
        .while_held("TransactWriteItems", edits(&ann, &group, &sent, "two"), says(&bob, &group, "three"))
        .await;
    assert_eq!(edited.ok().data()["content"], "two");
    assert_eq!(listed(&ann, &group).await.unwrap()["lastMessagePreview"], "three");
}
