//! Each event is pushed only to the users it concerns.

use serde_json::{Value, json};
use tests::{Person, World};

use super::listener::{Listener, user_channel};
use crate::{
    circles::{creates_circle, joins},
    messages::says,
};

#[tokio::test]
async fn an_accepted_friend_request_is_pushed_to_its_sender() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    // Runs the notification ticks that are due at the start, because they push unread totals.
    world.advance_and_settle(500).await;
    let (own, theirs) = (user_channel(&ann), user_channel(&bob));
    let mut asker = Listener::of(&world, &ann, &own).await;
    let mut asked = Listener::of(&world, &bob, &theirs).await;
    ann.befriends(&bob).await;
    world.stack.settle(None).await.unwrap();
    let request = asked.received(&theirs, "friend-request:new").await;
    assert_eq!(request["sender"]["username"], "ann");
    assert_eq!(request["createdAt"], "2026-01-01T00:08:20.000Z");
    asker.received_nothing().await;

    world.advance(1).await;
    bob.patch("/me/friend-requests/ann/accept", Value::Null).await.ok();
    world.stack.settle(None).await.unwrap();
    let accepted = asker.received(&own, "friend-request:accepted").await;
    assert_eq!(accepted["receiver"]["username"], "bob");
    assert_eq!(accepted["createdAt"], "2026-01-01T00:08:21.000Z");
    asked.received_nothing().await;
}

#[tokio::test]
async fn messages_and_read_marks_are_pushed_to_members() {
    let (world, [ann, bob, carl]) = World::with(["ann", "bob", "carl"]).await;
    let group = ann.chats_with("bob").await;
    let chat = format!("private-chat-{group}");
    let [anns, bobs, carls] = [user_channel(&ann), user_channel(&bob), user_channel(&carl)];
    let mut sender = Listener::of(&world, &ann, &anns).await;
    let mut receiver = Listener::of(&world, &bob, &bobs).await;
    let mut room = Listener::of(&world, &bob, &chat).await;
    let mut stranger = Listener::of(&world, &carl, &carls).await;
    let sent = says(&ann, &group, "hello").await.data().clone();
    world.stack.settle(None).await.unwrap();
    let own = sender.received(&anns, "message:new").await;
    assert_eq!((&own["publicId"], own.get("isMine")), (&sent["publicId"], None));
    for (listener, on) in [(&mut receiver, &bobs), (&mut room, &chat)] {
        let message = listener.received(on, "message:new").await;
        assert_eq!(message, own);
    }

    bob.patch(&format!("/message-group/{group}/read"), Value::Null).await.ok();
    world.stack.settle(None).await.unwrap();
    let seen = json!({ "groupId": group, "userId": bob.public_id, "lastSeenMessageId": sent["publicId"] });
    assert_eq!(sender.received(&anns, "message-seen").await, seen);
    assert_eq!(room.received(&chat, "message-seen").await, seen);
    receiver.received_nothing().await;
    stranger.received_nothing().await;
}

#[tokio::test]
async fn notification_totals_are_pushed_without_proposed_features() {
    let (world, [ann, bob]) =
        World::builder().settings(&[("PROPOSED_FEATURES", "off")]).start_with(["ann", "bob"]).await;
    let mut recipient = Listener::of(&world, &ann, &user_channel(&ann)).await;
    let mut anonymous = Listener::connects(&world).await;
    anonymous.joins_all("notifications").await;
    let post = ann.writes("hello").await;
    bob.replies(&post, "hi").await;
    bob.befriends(&ann).await;
    world.advance(40).await;
    world.stack.settle(None).await.unwrap();
    assert_eq!(anonymous.received("notifications", "notification").await, json!({ "count": 1 }));
    recipient.received_nothing().await;
}

#[tokio::test]
async fn notification_details_are_pushed_only_to_the_recipient() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let (anns, bobs) = (user_channel(&ann), user_channel(&bob));
    let mut recipient = Listener::of(&world, &ann, &anns).await;
    let mut actor = Listener::of(&world, &bob, &bobs).await;
    let mut anonymous = Listener::connects(&world).await;
    anonymous.joins_all("notifications").await;
    let post = ann.writes("hello").await;
    bob.replies(&post, "hi").await;
    bob.likes(&post).await;
    world.advance(40).await;
    world.stack.settle(None).await.unwrap();
    let mut groups = [(); 2].map(|()| Value::Null);
    for group in &mut groups {
        *group = recipient.received(&anns, "notification:new").await;
    }
    let listed = ann.get("/notification").await.ok();
    assert!(groups.iter().all(|group| listed.rows().contains(group)), "{groups:?}");
    assert_ne!(groups[0]["type"], groups[1]["type"]);
    assert_eq!(anonymous.received("notifications", "notification").await, json!({ "count": 2 }));
    anonymous.received_nothing().await;
    actor.received_nothing().await;
}

#[tokio::test]
async fn circle_energy_changes_are_pushed_to_members() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let circle = creates_circle(&ann, "Night readers").await;
    circle.gains(&world, -350, 195).await;
    world.stack.settle(None).await.unwrap();
    let channel = format!("presence-circle-{}", circle.id);
    let mut member = Listener::of(&world, &ann, &channel).await;
    joins(&bob, &circle, &ann).await;
    world.stack.settle(None).await.unwrap();
    let change = member.received(&channel, "energy:changed").await;
    let expected = json!({
        "circleId": circle.id, "previousStage": "Sick", "stage": "Sick", "previousLevel": 1, "level": 2,
        "current": 150, "max": 650, "createdAt": "2026-01-01T00:00:00.000Z"
    });
    assert_eq!(change, expected);
}

#[tokio::test]
async fn a_renamed_circle_is_pushed_to_its_members() {
    let (world, [ann]) = World::with(["ann"]).await;
    let circle = creates_circle(&ann, "Night readers").await;
    world.stack.settle(None).await.unwrap();
    let channel = format!("presence-circle-{}", circle.id);
    let mut member = Listener::of(&world, &ann, &channel).await;
    ann.patch(&circle.path(""), json!({ "name": "Late readers" })).await.ok();
    world.stack.settle(None).await.unwrap();
    assert_eq!(member.received(&channel, "circle:updated").await["circleId"], json!(circle.id));
}

#[tokio::test]
async fn a_user_with_two_devices_is_listed_once_as_present() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let presence = format!("presence-user-{}", ann.id);
    let mut phone = Listener::connects(&world).await;
    let mut laptop = Listener::connects(&world).await;
    for device in [&mut phone, &mut laptop] {
        let present = device.joins(&ann, &presence).await;
        assert_eq!(present["presence"]["ids"], json!([ann.id]));
        assert_eq!(present["presence"]["count"], 1);
    }
    laptop.asks(&bob, &presence).await.refused(403, "FORBIDDEN");
}

#[tokio::test]
async fn typing_events_go_directly_to_other_group_members() {
    let (world, [ann, bob, carl]) = World::with(["ann", "bob", "carl"]).await;
    let chat = format!("private-chat-{}", ann.chats_with("bob").await);
    let mut types = Listener::of(&world, &ann, &chat).await;
    let mut reads = Listener::of(&world, &bob, &chat).await;
    let mut stranger = Listener::of(&world, &carl, &user_channel(&carl)).await;
    stranger.asks(&carl, &chat).await.refused(403, "FORBIDDEN");
    let typing =
        |by: &Person| json!({ "event": "client-typing", "channel": chat, "data": { "userId": by.id } });
    stranger.says(typing(&carl)).await;
    stranger.received_nothing().await;
    reads.received_nothing().await;
    types.says(typing(&ann)).await;
    assert_eq!(reads.received(&chat, "client-typing").await, json!({ "userId": ann.id }));
    types.received_nothing().await;
    stranger.received_nothing().await;
}
