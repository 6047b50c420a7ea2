//! Pushes to the members of a group, but not to former members or between blocked users.

use serde_json::{Value, json};
use tests::{Person, World};

use super::listener::{Listener, user_channel};
use crate::messages::{adds, departs, group_chat, group_chat_beside, id, reacts, removes, says};

async fn listen(world: &World, user: &Person) -> Listener {
    Listener::of(world, user, &user_channel(user)).await
}

async fn settle(world: &World) {
    world.stack.settle(None).await.unwrap();
}

#[tokio::test]
async fn message_changes_and_reactions_are_pushed_to_members() {
    let (world, [ann, bob, cleo], group) = group_chat().await;
    let sent = id(&says(&ann, &group, "hello").await);
    settle(&world).await;
    let mut listener = listen(&world, &bob).await;
    let mut room = Listener::of(&world, &cleo, &format!("private-chat-{group}")).await;
    let path = format!("/message-group/{group}/messages/{sent}");
    ann.patch(&path, json!({ "content": "hi" })).await.ok();
    settle(&world).await;
    let data = listener.received(&user_channel(&bob), "message:edited").await;
    let edited = json!({
        "messageGroupId": group, "publicId": sent, "senderId": ann.public_id, "content": "hi",
        "editedAt": "2026-01-01T00:00:00.000Z", "isDeleted": false
    });
    assert_eq!(data, edited);
    assert_eq!(room.received(&format!("private-chat-{group}"), "message:edited").await, edited);
    reacts(&ann, &group, &sent, "👍").await.ok();
    settle(&world).await;
    let data = listener.received(&user_channel(&bob), "message:reaction").await;
    let reacted =
        json!({ "messageGroupId": group, "publicId": sent, "userId": ann.public_id, "emoji": "👍" });
    assert_eq!(data, reacted);
    ann.delete(&path).await.ok();
    settle(&world).await;
    let data = listener.received(&user_channel(&bob), "message:deleted").await;
    assert_eq!((&data["isDeleted"], &data["content"]), (&json!(true), &json!("This message was deleted.")));
}

#[tokio::test]
async fn membership_and_name_changes_are_pushed_to_members() {
    let (world, [ann, bob, _cleo, dan], group) = group_chat_beside("dan").await;
    settle(&world).await;
    let [mut bobs, mut dans] = [listen(&world, &bob).await, listen(&world, &dan).await];
    adds(&ann, &group, "dan").await.ok();
    settle(&world).await;
    for (listener, user) in [(&mut bobs, &bob), (&mut dans, &dan)] {
        let data = listener.received(&user_channel(user), "member:joined").await;
        assert_eq!((&data["user"]["username"], &data["membersCount"]), (&json!("dan"), &json!(4)));
    }
    ann.patch(&format!("/message-group/{group}"), json!({ "name": "Runners" })).await.ok();
    settle(&world).await;
    let data = bobs.received(&user_channel(&bob), "group:changed").await;
    assert_eq!(data, json!({ "messageGroupId": group, "name": "Runners", "avatar": null }));
    departs(&ann, &group).await.ok();
    settle(&world).await;
    let data = bobs.received(&user_channel(&bob), "member:left").await;
    assert_eq!((&data["userId"], &data["membersCount"]), (&json!(ann.public_id), &json!(3)));
    assert_ne!(data["createdById"], json!(ann.public_id), "the event names the new owner");
}

#[tokio::test]
async fn a_removed_group_member_gets_no_pushes() {
    let (world, [ann, bob, cleo], group) = group_chat().await;
    let chat = format!("private-chat-{group}");
    settle(&world).await;
    // Without a sign-in to the provider, the connection of a removed member keeps its subscription.
    let [mut bobs, mut room] = [listen(&world, &bob).await, Listener::of(&world, &bob, &chat).await];
    let mut signed = Listener::of(&world, &bob, &chat).await;
    signed.signs_in(&bob).await;
    removes(&ann, &group, &bob).await.ok();
    settle(&world).await;
    let path = format!("/message-group/{group}");
    let sent = id(&says(&ann, &group, "secret").await);
    ann.patch(&format!("{path}/messages/{sent}"), json!({ "content": "more" })).await.ok();
    ann.patch(&path, json!({ "name": "Without bob" })).await.ok();
    cleo.patch(&format!("{path}/read"), Value::Null).await.ok();
    settle(&world).await;
    bobs.received_nothing().await;
    room.received_nothing().await;
    signed.is_ended().await;
    signed = Listener::connects(&world).await;
    signed.asks(&bob, &chat).await.refused(403, "FORBIDDEN");
}

#[tokio::test]
async fn a_new_group_member_gets_no_pushes_of_earlier_messages() {
    let (world, [ann, _bob, _cleo, dan], group) = group_chat_beside("dan").await;
    let sent = id(&says(&ann, &group, "before").await);
    world.advance(1).await;
    adds(&ann, &group, "dan").await.ok();
    settle(&world).await;
    let chat = format!("private-chat-{group}");
    let [mut dans, mut room] = [listen(&world, &dan).await, Listener::of(&world, &dan, &chat).await];
    let path = format!("/message-group/{group}/messages/{sent}");
    ann.patch(&path, json!({ "content": "edited" })).await.ok();
    reacts(&ann, &group, &sent, "👍").await.ok();
    ann.delete(&path).await.ok();
    settle(&world).await;
    dans.received_nothing().await;
    room.received_nothing().await;
}

#[tokio::test]
async fn a_block_stops_pushes_between_group_members() {
    let (world, [ann, bob, cleo], group) = group_chat().await;
    let sent = id(&says(&ann, &group, "hello").await);
    let bobs_message = id(&says(&bob, &group, "hello").await);
    ann.blocks(&cleo).await;
    settle(&world).await;
    let mut cleos = listen(&world, &cleo).await;
    let path = format!("/message-group/{group}");
    ann.patch(&format!("{path}/messages/{sent}"), json!({ "content": "hi" })).await.ok();
    for (user, message) in [(&bob, &sent), (&ann, &bobs_message)] {
        reacts(user, &group, message, "👍").await.ok();
    }
    ann.patch(&path, json!({ "name": "Ann's" })).await.ok();
    departs(&ann, &group).await.ok();
    settle(&world).await;
    cleos.received_nothing().await;
}
