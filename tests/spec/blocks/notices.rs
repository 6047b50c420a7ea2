//! What somebody is told of people whom they hide by now.

use serde_json::{Value, json};
use tests::{Person, Post, World};

use crate::notifications::{notifications, one, ticks, unread};

#[tokio::test]
async fn what_waits_to_be_told_is_not_told_of_somebody_who_was_hidden_meanwhile() {
    for way in ["/block", "/mute"] {
        let world = World::new().await;
        let [ann, bob, cleo] = world.people(["ann", "bob", "cleo"]).await;
        let posts = [ann.writes("bob alone").await, ann.writes("both").await, ann.writes("bob twice").await];
        bob.replies(&posts[0], "hi").await;
        for who in [&bob, &cleo, &bob] {
            who.replies(&posts[1], "hi").await;
        }
        for text in ["hi", "there"] {
            bob.replies(&posts[2], text).await;
        }
        ann.post(&bob.path(way), Value::Null).await.ok();
        ticks(&world).await;
        let told = one(&ann).await;
        assert_eq!((&told["targetId"], &told["count"]), (&json!(posts[1].id), &json!(1)), "{way}");
        assert_eq!((&told["actorIds"], &told["lastActorId"]), (&json!([cleo.id]), &json!(cleo.id)));
        assert_eq!((&told["message"], unread(&ann).await), (&json!("cleo replied to your post"), 1));
        ann.post(&bob.path(way), Value::Null).await.ok();
        bob.replies(&posts[0], "again").await;
        ticks(&world).await;
        assert_eq!(of(&ann, &posts[0]).await["count"], 1, "what was left out does not come back");
    }
}

#[tokio::test]
async fn a_tick_that_crashed_leaves_nobody_in_whom_a_block_came_before() {
    let world = World::new().await;
    let [ann, bob, cleo] = world.people(["ann", "bob", "cleo"]).await;
    let post = ann.writes("hello").await;
    for who in [&bob, &cleo] {
        who.replies(&post, "hi").await;
    }
    ann.blocks(&bob).await;
    for operation in ["BatchWriteItem", "DeleteItem"] {
        world.faults.next(operation, tests::Fault::Crash);
    }
    ticks(&world).await;
    assert!(world.faults.calm() > 0);
    let told = one(&ann).await;
    assert_eq!((&told["count"], &told["actorIds"]), (&json!(1), &json!([cleo.id])));
}

#[tokio::test]
async fn what_was_told_shows_nobody_who_is_hidden_by_now() {
    for way in ["/block", "/mute"] {
        let world = World::new().await;
        let [ann, bob, cleo] = world.people(["ann", "bob", "cleo"]).await;
        let posts = [ann.writes("bob alone").await, ann.writes("both").await];
        bob.replies(&posts[0], "hi").await;
        for who in [&cleo, &bob] {
            who.replies(&posts[1], "hi").await;
        }
        ticks(&world).await;
        let before = notifications(&ann).await;
        assert_eq!((before.len(), unread(&ann).await), (2, 2));
        ann.post(&bob.path(way), Value::Null).await.ok();
        let told = one(&ann).await;
        assert_eq!((&told["targetId"], &told["count"]), (&json!(posts[1].id), &json!(1)), "{way}");
        assert_eq!((&told["actorIds"], &told["lastActorId"]), (&json!([cleo.id]), &json!(cleo.id)));
        assert_eq!(told["actors"].as_array().unwrap().len(), 1);
        assert_eq!((&told["actors"][0]["username"], &told["isRead"]), (&json!("cleo"), &json!(false)));
        assert_eq!((&told["message"], unread(&ann).await), (&json!("cleo replied to your post"), 1));
        ann.post(&bob.path(way), Value::Null).await.ok();
        assert_eq!((notifications(&ann).await, unread(&ann).await), (before, 2), "it was only hidden");
    }
}

#[tokio::test]
async fn who_is_blocked_is_not_shown_whom_they_were_told_of_either() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = bob.writes("hello").await;
    ann.replies(&post, "hi").await;
    ticks(&world).await;
    assert_eq!(unread(&bob).await, 1);
    ann.blocks(&bob).await;
    assert_eq!((notifications(&bob).await.len(), unread(&bob).await), (0, 0));
}

#[tokio::test]
async fn pages_of_notifications_stay_full_past_those_of_hidden_people() {
    let world = World::builder().settings(&[("WRITE_LIMIT_PER_5_MIN", "1000")]).start().await;
    let [ann, bob, cleo] = world.people(["ann", "bob", "cleo"]).await;
    let mut told = Vec::new();
    for number in 0..12 {
        world.advance(1).await;
        let post = ann.writes("hello").await;
        let who = if number % 4 == 0 { &cleo } else { &bob };
        who.replies(&post, "hi").await;
        told.extend((number % 4 == 0).then(|| json!(post.id)));
    }
    told.reverse();
    ticks(&world).await;
    ann.blocks(&bob).await;
    let (mut seen, mut path) = (Vec::new(), "/notification?take=2".to_owned());
    loop {
        let page = ann.get(&path).await.ok();
        seen.extend(page.column("targetId"));
        let Some(after) = page.after() else { break };
        assert_eq!(page.rows().len(), 2);
        path = format!("/notification?take=2&after={after}");
    }
    assert_eq!(seen, told);
}

async fn of(who: &Person, post: &Post) -> Value {
    let told = notifications(who).await;
    told.into_iter().find(|it| it["targetId"] == post.id.as_str()).unwrap()
}
