//! The outbox: all effects of a successful write happen despite faults, without a retry by the client.

mod lost;
mod pushed;
mod soon;

use serde_json::json;
use tests::{Builder, Fault, Person, Post, World};

use crate::{messages::says, timeline::feed};

const HOUR: u64 = 60 * 60;

/// AWS calls of the relay, with the faults to inject into each call.
const RELAY: [(&str, &[Fault]); 3] = [
    (
        "SendMessageBatch",
        &[Fault::Refused, Fault::HalfRefused, Fault::Crash, Fault::CrashAfter, Fault::LostAnswer],
    ),
    ("PutEvents", &[Fault::Refused, Fault::HalfRefused, Fault::Crash, Fault::CrashAfter, Fault::LostAnswer]),
    ("UpdateItem", &[Fault::Throttle, Fault::Crash, Fault::CrashAfter, Fault::LostAnswer]),
];
/// AWS calls of a request that writes a post.
const REQUEST: [&str; 3] = ["UpdateItem", "GetItem", "TransactWriteItems"];

#[tokio::test]
async fn all_effects_of_a_write_happen_despite_delivery_faults() {
    let (world, [ann, bob]) = followed(World::builder()).await;
    let group = ann.chats_with("bob").await;
    for (seed, (call, fault)) in
        RELAY.iter().flat_map(|(call, faults)| faults.iter().map(|fault| (*call, *fault))).enumerate()
    {
        let word = format!("relayed{seed}");
        let post = ann.writes(&word).await;
        bob.likes(&post).await;
        bob.replies(&post, "yes").await;
        says(&ann, &group, &word).await;
        world.faults.plan(call, fault, 0, 2);
        world.settle_as(seed as u64).await;
        assert!(world.faults.calm() > 0, "{call} {fault:?}");
        assert_all_effects(&word, &post, &[&ann, &bob]).await;
    }
}

#[tokio::test]
async fn a_crashed_post_request_has_all_effects_or_none() {
    let (world, [ann, bob]) = followed(World::builder()).await;
    for (number, call) in REQUEST.into_iter().enumerate() {
        for (fault, word) in
            [(Fault::Crash, format!("before{number}")), (Fault::CrashAfter, format!("after{number}"))]
        {
            world.faults.next(call, fault);
            let answer = ann.post("/posts", json!({ "content": word })).await;
            assert_eq!((answer.status, world.faults.calm()), (500, 1), "{call} {fault:?}");
            world.settle().await;
            let written = ann.get(&ann.path("/posts")).await.ok().column("content").contains(&json!(word));
            let expected = call == "TransactWriteItems" && fault == Fault::CrashAfter;
            assert_eq!(written, expected, "{call} {fault:?}");
            assert_eq!(feed(&bob).await.contains(&json!(word)), written, "{call} {fault:?}");
            assert_eq!(found(&bob, &word).await, usize::from(written), "{call} {fault:?}");
        }
    }
}

#[tokio::test]
async fn a_like_stored_before_a_crash_is_counted() {
    let (world, [ann, bob]) = followed(World::builder()).await;
    for (pass, call) in [(0, "UpdateItem"), (0, "GetItem"), (1, "UpdateItem")] {
        for fault in [Fault::Crash, Fault::CrashAfter] {
            let post = ann.writes("hello").await;
            world.settle().await;
            world.faults.plan(call, fault, pass, 1);
            let answer = bob.post(&post.path("/like"), json!({ "isLiked": true })).await;
            assert_eq!((answer.status, world.faults.calm()), (500, 1), "{call} {fault:?}");
            world.settle().await;
            let is_stored = bob.sees(&post).await["isLiked"] == true;
            assert_eq!(is_stored, (pass, fault) == (1, Fault::CrashAfter), "{call} {fault:?}");
            assert_eq!(ann.sees(&post).await["likesCount"], u8::from(is_stored), "{call} {fault:?}");
        }
    }
}

#[tokio::test]
async fn a_partly_refused_batch_of_messages_is_fully_delivered() {
    let (world, [ann, bob]) = followed(World::builder()).await;
    let words: Vec<_> = (0..25).map(|number| format!("many{number}")).collect();
    for word in &words {
        ann.writes(word).await;
    }
    world.faults.plan("SendMessageBatch", Fault::HalfRefused, 0, 4);
    world.settle().await;
    assert_eq!(world.faults.calm(), 4);
    let feed = bob.get("/posts/news-feed?type=FOLLOWING&take=50").await.ok().column("content");
    for word in &words {
        assert!(feed.contains(&json!(word)), "{word}");
        assert_eq!(found(&bob, word).await, 1, "{word}");
    }
}

/// Starts a world. Returns it with an author and their follower.
async fn followed(builder: Builder<'_>) -> (World, [Person; 2]) {
    let (world, [ann, bob]) = builder.start_with(["ann", "bob"]).await;
    bob.follows(&ann).await;
    world.settle().await;
    (world, [ann, bob])
}

/// Checks that the post is in bob's feed and the search index, and that his like and reply are counted.
async fn assert_all_effects(word: &str, post: &Post, [ann, bob]: &[&Person; 2]) {
    assert_eq!(feed(bob).await[0], *word);
    assert_eq!(found(bob, word).await, 1, "{word}");
    let seen = ann.sees(post).await;
    assert_eq!((&seen["likesCount"], &seen["repliesCount"]), (&json!(1), &json!(1)), "{word}");
}

async fn found(user: &Person, word: &str) -> usize {
    user.get(&format!("/search?q={word}&type=post")).await.ok().rows().len()
}
