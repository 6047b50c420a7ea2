//! Effects of blocks on realtime channels: subscriptions, client events and member lists.

use serde_json::{Value, json};
use tests::World;

use crate::{
    circles::{creates_circle, joins},
    messages::{group_chat, opens},
    realtime::listener::Listener,
};

#[tokio::test]
async fn blocked_users_cannot_subscribe_to_their_chat() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let chat = format!("private-chat-{}", opens(&ann, &["bob"]).await);
    let device = Listener::connects(&world).await;
    ann.blocks(&bob).await;
    for user in [&ann, &bob] {
        device.asks(user, &chat).await.refused(403, "FORBIDDEN");
    }
    ann.post(&bob.path("/block"), Value::Null).await.ok();
    for user in [&ann, &bob] {
        device.asks(user, &chat).await.ok();
    }
}

#[tokio::test]
async fn a_user_who_blocks_a_member_cannot_subscribe_to_a_group_chat() {
    let (world, [ann, bob, cleo], group) = group_chat().await;
    let chat = format!("private-chat-{group}");
    let device = Listener::connects(&world).await;
    ann.blocks(&bob).await;
    device.asks(&ann, &chat).await.refused(403, "FORBIDDEN");
    for user in [&bob, &cleo] {
        device.asks(user, &chat).await.ok();
    }
    bob.blocks(&ann).await;
    device.asks(&bob, &chat).await.refused(403, "FORBIDDEN");
    device.asks(&cleo, &chat).await.ok();
}

#[tokio::test]
async fn client_events_from_a_blocked_user_are_not_delivered() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let chat = format!("private-chat-{}", opens(&ann, &["bob"]).await);
    let mut anns = Listener::of(&world, &ann, &chat).await;
    anns.signs_in(&ann).await;
    let mut bobs = Listener::of(&world, &bob, &chat).await;
    bobs.signs_in(&bob).await;
    let typing = json!({ "event": "client-typing", "channel": chat, "data": {} });
    bobs.says(typing.clone()).await;
    anns.received(&chat, "client-typing").await;
    ann.blocks(&bob).await;
    world.stack.settle(None).await.unwrap();
    anns.is_ended().await;
    bobs.says(typing).await;
    bobs.received_nothing().await;
    let again = Listener::connects(&world).await;
    again.asks(&ann, &chat).await.refused(403, "FORBIDDEN");
}

#[tokio::test]
async fn a_block_hides_member_ids_in_the_presence_channel() {
    let (world, [ann, bob, cleo]) = World::with(["ann", "bob", "cleo"]).await;
    let circle = creates_circle(&ann, "Night readers").await;
    for member in [&bob, &cleo] {
        joins(member, &circle, &ann).await;
    }
    ann.blocks(&bob).await;
    let channel = format!("presence-circle-{}", circle.id);
    // The devices stay connected until the end of the test.
    let (mut devices, mut present) = (Vec::new(), Vec::new());
    for user in [&ann, &bob, &cleo] {
        let mut device = Listener::connects(&world).await;
        present.push(device.joins(user, &channel).await["presence"].clone());
        devices.push(device);
    }
    let all = present[2]["ids"].as_array().unwrap();
    assert_eq!(json!([all.len(), present[2]["count"]]), json!([3, 3]), "blocked members count");
    for hidden in [&ann, &bob] {
        assert!(!present[2].to_string().contains(&hidden.id), "{present:?}");
    }
    assert!(all.contains(&json!(cleo.id)));
    let mut second = Listener::connects(&world).await;
    let presence = second.joins(&ann, &channel).await["presence"].clone();
    assert_eq!(presence["count"], 3, "two devices of a user count once");
}
