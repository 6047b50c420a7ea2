//! Unread counts and read marks.

use serde_json::{Value, json};
use tests::World;

use super::{group_chat, id, opens, private_group, says, unread};

#[tokio::test]
async fn messages_of_other_users_are_unread_until_marked_as_read() {
    let (_world, [ann, bob, cleo], group) = group_chat().await;
    for text in ["1", "2", "3"] {
        says(&ann, &group, text).await;
    }
    says(&bob, &group, "4").await;
    assert_eq!([unread(&ann).await, unread(&bob).await, unread(&cleo).await], [1, 3, 4]);
    let marked = bob.patch(&format!("/message-group/{group}/read"), Value::Null).await.ok();
    assert_eq!(marked.data()["unreadCount"], 0);
    says(&bob, &group, "5").await;
    assert_eq!([unread(&ann).await, unread(&bob).await, unread(&cleo).await], [2, 0, 5]);
    says(&ann, &group, "6").await;
    assert_eq!([unread(&ann).await, unread(&bob).await, unread(&cleo).await], [2, 1, 6]);
}

#[tokio::test]
async fn a_read_mark_never_moves_to_an_older_message() {
    let (_world, [ann, bob], group) = private_group().await;
    let mut sent = Vec::new();
    for text in ["1", "2", "3"] {
        sent.push(id(&says(&ann, &group, text).await));
        says(&bob, &group, "mine").await;
    }
    let path = format!("/message-group/{group}/read");
    for (up_to, left, mark) in [(1, 1, 1), (0, 1, 1), (2, 0, 2)] {
        let answer = bob.patch(&path, json!({ "lastSeenMessageId": sent[up_to] })).await.ok();
        let expected = json!({ "publicId": group, "lastSeenMessageId": sent[mark], "unreadCount": left });
        assert_eq!(answer.data(), &expected);
        assert_eq!(unread(&bob).await, left);
    }
    let stranger = json!({ "lastSeenMessageId": "7ZZZZZZZZZZZZZZZZZZZZZZZZZ" });
    bob.patch(&path, stranger).await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn groups_are_listed_newest_message_first() {
    let (world, [ann, _bob, _cleo, _dan]) = World::with(["ann", "bob", "cleo", "dan"]).await;
    let mut groups = Vec::new();
    for name in ["bob", "cleo", "dan"] {
        world.advance(1).await;
        groups.push(opens(&ann, &[name]).await);
    }
    let listed = ann.get("/message-group").await.ok().column("publicId");
    assert_eq!(listed, [json!(groups[2]), json!(groups[1]), json!(groups[0])]);
    world.advance(1).await;
    says(&ann, &groups[0], "hi").await;
    let ordered = ann.all("/message-group", 1, "publicId").await;
    assert_eq!(ordered, [json!(groups[0]), json!(groups[2]), json!(groups[1])]);
    let after_row = ann.get(&format!("/message-group?after={}", groups[2])).await.ok();
    assert_eq!(after_row.column("publicId"), [json!(groups[1])], "the ID of a group is a cursor");
}

#[tokio::test]
async fn a_conversation_shows_delivery_and_read_status() {
    let (world, [ann, bob, cleo], group) = group_chat().await;
    let body = json!({ "conversationId": group, "content": "https://example.com/a.png", "type": "image" });
    let sent = ann.post("/chat/message", body).await.ok();
    assert_eq!((&sent.data()["type"], &sent.data()["status"]), (&json!("IMAGE"), &json!("SENT")));
    let path = format!("/chat/{}/seen", id(&sent));
    for (reader, status, seen_at) in
        [(&bob, "DELIVERED", Value::Null), (&cleo, "SEEN", json!("2026-01-01T00:02:00.000Z"))]
    {
        world.advance(60).await;
        reader.patch(&path, Value::Null).await.ok();
        let row = ann.get(&format!("/chat/{group}/messages")).await.ok().rows()[0].clone();
        assert_eq!((&row["status"], &row["seenAt"]), (&json!(status), &seen_at));
    }
    let theirs = bob.get("/chat/conversations").await.ok().rows()[0].clone();
    assert_eq!((&theirs["lastSeenMessageId"], &theirs["unreadCount"]), (&json!(id(&sent)), &json!(0)));
    let eve = world.person("eve").await;
    eve.patch(&path, Value::Null).await.refused(404, "NOT_FOUND");
}
