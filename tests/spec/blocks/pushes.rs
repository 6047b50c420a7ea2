//! What is pushed asks how things stand when it is pushed.

use domain::people::users::Role;
use serde_json::{Value, json};
use tests::{Person, World};

use crate::{
    admin::administrator,
    messages::{id, makes, opens, says},
    realtime::listener::Listener,
};

#[tokio::test]
async fn what_somebody_did_before_a_block_is_not_pushed_after_it() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let group = opens(&ann, &["bob"]).await;
    let post = ann.writes("hello").await;
    quiet(&world).await;
    let mut anns = own(&world, &ann).await;
    let mut bobs = own(&world, &bob).await;
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
    assert_eq!(own["isMine"], true, "bob hears of what he did himself, and of nothing that ann did");
    bobs.received_nothing().await;
}

#[tokio::test]
async fn who_asked_does_not_hear_that_somebody_accepted_whom_a_block_separates_by_now() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    ann.befriends(&bob).await;
    quiet(&world).await;
    let mut anns = own(&world, &ann).await;
    bob.patch("/me/friend-requests/ann/accept", Value::Null).await.ok();
    bob.blocks(&ann).await;
    world.stack.settle(None).await.unwrap();
    anns.received_nothing().await;
}

#[tokio::test]
async fn in_a_crowd_nobody_hears_a_message_or_a_mark_of_whom_a_block_separates_from_them() {
    let world = World::new().await;
    let [ann, bob, cleo] = world.people(["ann", "bob", "cleo"]).await;
    let group = id(&makes(&ann, "crowd", &["bob", "cleo"]).await);
    quiet(&world).await;
    let mut listeners = [own(&world, &ann).await, own(&world, &bob).await, own(&world, &cleo).await];
    let chat = format!("private-chat-{group}");
    let mut room = Listener::of(&world, &cleo, &chat).await;
    let sent = id(&says(&ann, &group, "before").await);
    world.stack.settle(None).await.unwrap();
    for (listener, who) in listeners.iter_mut().zip([&ann, &bob, &cleo]) {
        assert_eq!(listener.received(&channel(who), "message:new").await["content"], "before");
    }
    assert_eq!(room.received(&chat, "message:new").await["content"], "before");

    ann.blocks(&cleo).await;
    says(&cleo, &group, "after").await;
    let read = json!({ "lastSeenMessageId": sent });
    cleo.patch(&format!("/message-group/{group}/read"), read).await.ok();
    world.stack.settle(None).await.unwrap();
    let [anns, bobs, cleos] = &mut listeners;
    for (listener, who, mine) in [(bobs, &bob, false), (cleos, &cleo, true)] {
        let message = listener.received(&channel(who), "message:new").await;
        assert_eq!((&message["content"], &message["isMine"]), (&json!("after"), &json!(mine)));
        listener.received_nothing().await;
    }
    anns.received_nothing().await;
    room.received_nothing().await;
}

#[tokio::test]
async fn nothing_is_pushed_to_somebody_whose_account_does_not_work() {
    let world = World::new().await;
    let mut root = administrator(&world, "root", Role::Admin).await;
    let [mut ann, mut bob, mut cleo] = world.people(["ann", "bob", "cleo"]).await;
    let group = id(&makes(&ann, "crowd", &["bob", "cleo"]).await);
    let (chat, post) = (format!("private-chat-{group}"), ann.writes("hello").await);
    says(&ann, &group, "mine").await;
    for suspension in ["ban", "lock"] {
        quiet(&world).await;
        let [mut anns, mut cleos] = [own(&world, &ann).await, own(&world, &cleo).await];
        let mut room = Listener::of(&world, &ann, &chat).await;
        suspends(&root, suspension, &ann).await;
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
        suspends(&root, "unlock", &ann).await;
        bob.patch("/me/friend-requests/ann/cancel", Value::Null).await.ok();
        [ann, bob, cleo] = [ann.signs_in().await, bob.signs_in().await, cleo.signs_in().await];
        root = root.signs_in().await;
    }
}

async fn suspends(root: &Person, how: &str, whom: &Person) {
    root.patch(&format!("/admin/users/{}/{how}", whom.id), Value::Null).await.ok();
}

/// The ticks of the beginning, which would tell of notifications, are over.
async fn quiet(world: &World) {
    world.advance(500).await;
    world.settle().await;
}

async fn own(world: &World, who: &Person) -> Listener {
    Listener::of(world, who, &channel(who)).await
}

fn channel(who: &Person) -> String {
    format!("private-user-{}", who.id)
}
