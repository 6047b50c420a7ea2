//! Realtime pushes to blocked or suspended users: recipients are checked when a push is sent.

use domain::people::users::Role;
use serde_json::{Value, json};
use tests::{Person, World};

use crate::{
    admin::{administrator, change},
    messages::{group_chat, id, makes, opens, says},
    realtime::listener::Listener,
};

#[tokio::test]
async fn a_block_prevents_pushes_of_earlier_events() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let group = opens(&ann, &["bob"]).await;
    let post = ann.writes("hello").await;
    deliver_setup(&world).await;
    let mut anns = own_channel(&world, &ann).await;
    let mut bobs = own_channel(&world, &bob).await;
    let mut chat = Listener::of(&world, &bob, &format!("private-chat-{group}")).await;
    bob.befriends(&ann).await;
    says(&bob, &group, "hi").await;
    bob.replies(&post, "hi").await;
    ann.patch(&format!("/message-group/{group}/read"), Value::Null).await.ok();
    ann.blocks(&bob).await;
    world.stack.settle(None).await.unwrap();
    world.advance(40).await;
    world.stack.settle(None).await.unwrap();
    anns.received_nothing().await;
    chat.received_nothing().await;
    let own = bobs.received(&channel(&bob), "message:new").await;
    assert_eq!(own["content"], "hi", "bob gets his own message, and no event of ann");
    bobs.received_nothing().await;
}

#[tokio::test]
async fn a_block_prevents_the_push_about_an_accepted_friend_request() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    ann.befriends(&bob).await;
    deliver_setup(&world).await;
    let mut anns = own_channel(&world, &ann).await;
    bob.patch("/me/friend-requests/ann/accept", Value::Null).await.ok();
    bob.blocks(&ann).await;
    world.stack.settle(None).await.unwrap();
    anns.received_nothing().await;
}

#[tokio::test]
async fn a_block_prevents_pushes_between_members_of_a_group_chat() {
    let (world, [ann, bob, cleo], group) = group_chat().await;
    deliver_setup(&world).await;
    let [mut anns, mut bobs] = [own_channel(&world, &ann).await, own_channel(&world, &bob).await];
    let mut cleos = own_channel(&world, &cleo).await;
    let chat = format!("private-chat-{group}");
    let mut room = Listener::of(&world, &cleo, &chat).await;
    let sent = id(&says(&ann, &group, "before").await);
    world.stack.settle(None).await.unwrap();
    for (listener, person) in [(&mut anns, &ann), (&mut bobs, &bob), (&mut cleos, &cleo)] {
        assert_eq!(listener.received(&channel(person), "message:new").await["content"], "before");
    }
    assert_eq!(room.received(&chat, "message:new").await["content"], "before");

    ann.blocks(&cleo).await;
    says(&cleo, &group, "after").await;
    let read = json!({ "lastSeenMessageId": sent });
    cleo.patch(&format!("/message-group/{group}/read"), read).await.ok();
    world.stack.settle(None).await.unwrap();
    for (listener, person) in [(&mut bobs, &bob), (&mut cleos, &cleo)] {
        assert_eq!(listener.received(&channel(person), "message:new").await["content"], "after");
        listener.received_nothing().await;
    }
    anns.received_nothing().await;
    room.received_nothing().await;
}

#[tokio::test]
async fn suspended_users_get_no_pushes() {
    let world = World::new().await;
    let mut root = administrator(&world, "root", Role::Admin).await;
    let [mut ann, mut bob, mut cleo] = world.people(["ann", "bob", "cleo"]).await;
    let group = id(&makes(&ann, "crowd", &["bob", "cleo"]).await);
    let (chat, post) = (format!("private-chat-{group}"), ann.writes("hello").await);
    says(&ann, &group, "mine").await;
    for suspension in ["ban", "lock"] {
        deliver_setup(&world).await;
        let [mut anns, mut cleos] = [own_channel(&world, &ann).await, own_channel(&world, &cleo).await];
        let mut room = Listener::of(&world, &ann, &chat).await;
        change(&root, &ann, suspension, Value::Null).await.ok();
        bob.patch(&format!("/message-group/{group}/read"), Value::Null).await.ok();
        says(&bob, &group, "hi").await;
        bob.replies(&post, "hi").await;
        bob.befriends(&ann).await;
        world.stack.settle(None).await.unwrap();
        world.advance(40).await;
        world.stack.settle(None).await.unwrap();
        anns.received_nothing().await;
        room.received_nothing().await;
        assert_eq!(cleos.received(&channel(&cleo), "message:new").await["content"], "hi");
        change(&root, &ann, "unlock", Value::Null).await.ok();
        bob.patch("/me/friend-requests/ann/cancel", Value::Null).await.ok();
        [ann, bob, cleo] = [ann.signs_in().await, bob.signs_in().await, cleo.signs_in().await];
        root = root.signs_in().await;
    }
}

/// Delivers the pushes that the set-up caused, so that none arrives during the test.
async fn deliver_setup(world: &World) {
    world.advance_and_settle(500).await;
}

async fn own_channel(world: &World, person: &Person) -> Listener {
    Listener::of(world, person, &channel(person)).await
}

fn channel(person: &Person) -> String {
    format!("private-user-{}", person.id)
}
