//! Actions that users undo. The notification then has a lower count, or disappears if no action is left.

use domain::posts::{self, likes};
use futures::future::join_all;
use serde_json::{Value, json};
use tests::{Fault, Person, Post, World};

use super::{
    fields, notifications, one, path,
    repeated::{follow, records},
    ticks, unread,
};
use crate::likes::{like_jobs, random_user_ids};

#[tokio::test]
async fn a_removed_like_is_removed_from_its_notification() {
    let (world, [ann, bob, cleo], post) = World::with_post(["ann", "bob", "cleo"]).await;
    bob.likes(&post).await;
    cleo.likes(&post).await;
    flushes(&world).await;
    cleo.unlikes(&post).await;
    flushes(&world).await;
    let shown = fields(&ann, ["count", "actorIds", "lastActorId", "message"]).await;
    assert_eq!(shown, json!([1, [bob.public_id], bob.public_id, "bob liked your post"]));
    bob.unlikes(&post).await;
    flushes(&world).await;
    assert_empty(&ann).await;
}

#[tokio::test]
async fn a_canceled_friend_request_is_removed_from_its_notification() {
    let (world, [ann, bob, cleo]) = World::with(["ann", "bob", "cleo"]).await;
    for sender in [&bob, &cleo] {
        sender.befriends(&ann).await;
    }
    flushes(&world).await;
    assert_eq!(unread(&ann).await, 1);
    bob.patch("/me/friend-requests/ann/cancel", Value::Null).await.ok();
    flushes(&world).await;
    assert_eq!(one(&ann).await["actorIds"], json!([cleo.public_id]));
    ann.patch("/me/friend-requests/cleo/cancel", Value::Null).await.ok();
    flushes(&world).await;
    assert_empty(&ann).await;
    bob.befriends(&ann).await;
    flushes(&world).await;
    assert_eq!(one(&ann).await["actorIds"], json!([bob.public_id]));
}

#[tokio::test]
async fn an_action_undone_before_delivery_sends_no_notification() {
    let (world, [ann, bob, cleo], post) = World::with_post(["ann", "bob", "cleo"]).await;
    let (reply, quote) = (bob.replies(&post, "hi").await, bob.quotes(&post, "look").await);
    let repost = bob.reposts(&post).await;
    bob.likes(&post).await;
    bob.follows(&ann).await;
    world.settle().await;
    bob.unlikes(&post).await;
    bob.unfollows(&ann).await;
    for post in [&reply, &quote, &repost] {
        bob.deletes(post).await;
    }
    flushes(&world).await;
    assert_empty(&ann).await;
    cleo.likes(&post).await;
    flushes(&world).await;
    assert_eq!(one(&ann).await["actorIds"], json!([cleo.public_id]));
}

#[tokio::test]
async fn a_deleted_post_is_removed_from_its_notifications() {
    let (world, [ann, bob, cleo], post) = World::with_post(["ann", "bob", "cleo"]).await;
    let below = cleo.replies(&post, "first").await;
    let own = [
        bob.replies(&post, "hi").await,
        bob.replies(&below, "nested").await,
        bob.quotes(&post, "look").await,
        bob.reposts(&post).await,
        bob.posts(json!({ "content": "hey", "mentions": [ann.id] })).await,
    ];
    flushes(&world).await;
    assert_eq!(kinds(&ann).await, ["COMMENT", "MENTION", "POST", "QUOTE", "REPOST"]);
    for post in &own {
        bob.deletes(post).await;
    }
    flushes(&world).await;
    let shown = fields(&ann, ["type", "actorIds", "count"]).await;
    assert_eq!(shown, json!(["POST", [cleo.public_id], 1]));
    assert_eq!(unread(&ann).await, 1);
    assert_empty(&cleo).await;
}

#[tokio::test]
async fn a_notification_lists_a_user_until_all_their_replies_are_gone() {
    let (world, [ann, bob, cleo], post) = World::with_post(["ann", "bob", "cleo"]).await;
    let first = bob.replies(&post, "1").await;
    cleo.replies(&post, "2").await;
    flushes(&world).await;
    let second = bob.replies(&post, "3").await;
    flushes(&world).await;
    for (deleted, count, actors) in
        [(first, 2, json!([bob.public_id, cleo.public_id])), (second, 1, json!([cleo.public_id]))]
    {
        bob.deletes(&deleted).await;
        flushes(&world).await;
        assert_eq!(fields(&ann, ["count", "actorIds"]).await, json!([count, actors]));
    }
}

#[tokio::test]
async fn an_ended_follow_is_removed_from_its_notification() {
    let (world, [ann, bob, cleo]) = World::with(["ann", "bob", "cleo"]).await;
    bob.follows(&ann).await;
    cleo.follows(&ann).await;
    flushes(&world).await;
    bob.unfollows(&ann).await;
    flushes(&world).await;
    assert_eq!(fields(&ann, ["count", "actorIds"]).await, json!([1, [cleo.public_id]]));
    for _ in ["block", "unblock"] {
        ann.post(&cleo.path("/block"), Value::Null).await.ok();
    }
    flushes(&world).await;
    assert_empty(&ann).await;
}

#[tokio::test]
async fn an_undone_and_repeated_action_restores_a_read_notification() {
    let (world, [ann, bob], post) = World::with_post(["ann", "bob"]).await;
    for pass in 0..3 {
        bob.likes(&post).await;
        bob.follows(&ann).await;
        let repost = bob.reposts(&post).await;
        flushes(&world).await;
        assert_eq!(kinds(&ann).await, ["FOLLOW", "LIKE", "REPOST"]);
        assert_eq!(unread(&ann).await, if pass == 0 { 3 } else { 0 }, "{pass}");
        ann.patch("/notification/read-all", Value::Null).await.ok();
        bob.unlikes(&post).await;
        bob.unfollows(&ann).await;
        bob.deletes(&repost).await;
        flushes(&world).await;
        assert_empty(&ann).await;
    }
    // No flush runs between these likes, so the last like is the first that notifies ann.
    let other = ann.writes("other").await;
    for _ in 0..2 {
        bob.likes(&other).await;
        world.settle().await;
        bob.unlikes(&other).await;
        world.settle().await;
    }
    bob.likes(&other).await;
    flushes(&world).await;
    assert_eq!(fields(&ann, ["count", "isRead"]).await, json!([1, false]));
}

#[tokio::test]
async fn an_undone_action_does_not_make_a_notification_unread() {
    let (world, [ann, bob, cleo], post) = World::with_post(["ann", "bob", "cleo"]).await;
    bob.likes(&post).await;
    cleo.likes(&post).await;
    flushes(&world).await;
    let before = one(&ann).await;
    ann.patch(&path(&before), Value::Null).await.ok();
    bob.unlikes(&post).await;
    flushes(&world).await;
    let after = one(&ann).await;
    assert_eq!(json!([after["isRead"], unread(&ann).await]), json!([true, 0]));
    assert_eq!(after["lastEventAt"], before["lastEventAt"], "undoing moves no notification");
}

#[tokio::test]
async fn many_removed_likes_are_subtracted_from_a_notification() {
    let (world, [ann], post) = World::with_post(["ann"]).await;
    let users = random_user_ids(&world, 150);
    likes::apply(&world.app(), &like_jobs(&world, &post, &users, true).await).await;
    flushes(&world).await;
    assert_eq!(one(&ann).await["count"], 150);
    for (removed, left) in [(&users[..30], 120), (&users[30..90], 60)] {
        likes::apply(&world.app(), &like_jobs(&world, &post, removed, false).await).await;
        flushes(&world).await;
        let group = one(&ann).await;
        assert_eq!(group["count"], left);
        let actors = group["actorIds"].as_array().unwrap();
        assert!(removed.iter().all(|user| !actors.contains(&json!(user.public()))));
    }
}

#[tokio::test]
async fn many_deleted_replies_are_subtracted_from_a_notification() {
    let (world, [ann], post) = World::with_post(["ann"]).await;
    let fans = world.fans(0..12).await;
    let replies: Vec<Post> = join_all(fans.iter().map(|fan| fan.replies(&post, "hi"))).await;
    world.settle().await;
    // The replies and deletions are pending at the same time. Most of them have their own rows.
    join_all(fans.iter().zip(&replies).take(4).map(|(fan, reply)| fan.deletes(reply))).await;
    flushes(&world).await;
    assert_eq!(one(&ann).await["count"], 8);
    join_all(fans.iter().zip(&replies).skip(4).take(7).map(|(fan, reply)| fan.deletes(reply))).await;
    flushes(&world).await;
    assert_eq!(fields(&ann, ["count", "actorIds"]).await, json!([1, [fans[11].public_id]]));
}

#[tokio::test]
async fn a_late_follow_event_does_not_restore_an_ended_follow() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let follow = follow(&world, &ann, &bob);
    let withdrawal = follow.clone().withdrawn_at(world.app().now());
    for events in [[&withdrawal, &withdrawal], [&follow, &follow], [&follow, &withdrawal]] {
        for event in events {
            records(&world, event).await;
        }
        flushes(&world).await;
        assert_empty(&ann).await;
    }
}

#[tokio::test]
async fn a_deleted_reply_is_subtracted_once_if_a_flush_crashes() {
    let (world, [ann, bob, cleo]) = World::with(["ann", "bob", "cleo"]).await;
    let steps = ["Query", "BatchGetItem", "PutItem", "BatchWriteItem", "DeleteItem", "TransactWriteItems"];
    for operation in steps {
        for fault in [Fault::Crash, Fault::CrashAfter, Fault::LostAnswer] {
            let (ann, bob) = (ann.signs_in().await, bob.signs_in().await);
            let cleo = cleo.signs_in().await;
            let post = ann.writes("hello").await;
            let replies = [bob.replies(&post, "1").await, cleo.replies(&post, "2").await];
            flushes(&world).await;
            cleo.deletes(&replies[1]).await;
            world.settle().await;
            world.faults.plan(operation, fault, 0, 1);
            ticks(&world).await;
            world.faults.calm();
            flushes(&world).await;
            let group = notifications(&ann).await[0].clone();
            let fields = json!([group["targetId"], group["count"]]);
            assert_eq!(fields, json!([post.id, 1]), "{operation} {fault:?}");
            bob.deletes(&replies[0]).await;
            world.settle().await;
            world.faults.plan(operation, fault, 0, 1);
            ticks(&world).await;
            world.faults.calm();
            flushes(&world).await;
            assert_empty(&ann).await;
        }
    }
}

#[tokio::test]
async fn a_reply_that_mentions_its_recipient_notifies_once() {
    let (world, [ann, bob, cleo], post) = World::with_post(["ann", "bob", "cleo"]).await;
    let mentioning = json!({ "content": "hi", "mentions": [ann.id, cleo.id] });
    let reply = bob.post(&post.path("/reply"), mentioning.clone()).await.ok().data()["publicId"].clone();
    flushes(&world).await;
    assert_eq!([kinds(&ann).await, kinds(&cleo).await], [["POST"], ["MENTION"]]);
    bob.delete(&format!("/posts/{}", reply.as_str().unwrap())).await.ok();
    bob.post(&post.path("/quote"), mentioning).await.ok();
    flushes(&world).await;
    assert_eq!([kinds(&ann).await, kinds(&cleo).await], [["QUOTE"], ["MENTION"]]);
}

#[tokio::test]
async fn removing_notifications_of_a_reply_stays_within_its_budget() {
    let (world, [_ann, bob], post) = World::with_post(["ann", "bob"]).await;
    let reply = bob.replies(&post, "hi").await;
    flushes(&world).await;
    bob.deletes(&reply).await;
    let app = world.app();
    let withdrawal = posts::withdraw_events(&app, reply.id.parse().unwrap());
    world.budget("withdraw the notifications of a deleted reply (job)", withdrawal).await.unwrap();
}

/// Delivers all messages, and then flushes the events into notifications.
async fn flushes(world: &World) {
    world.settle().await;
    ticks(world).await;
}

async fn kinds(person: &Person) -> Vec<String> {
    let rows = notifications(person).await;
    let mut kinds: Vec<_> = rows.iter().map(|row| row["type"].as_str().unwrap().to_owned()).collect();
    kinds.sort_unstable();
    kinds
}

async fn assert_empty(person: &Person) {
    assert_eq!(notifications(person).await, Vec::<Value>::new());
    assert_eq!(unread(person).await, 0);
}
