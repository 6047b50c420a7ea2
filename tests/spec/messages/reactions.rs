//! Reactions to messages.

use reqwest::Method;
use serde_json::{Value, json};
use tests::{Fault, Person, World, send};

use super::{departs, group_chat, group_chat_beside, id, makes, opens, private_group, reacts, reads, says};
use crate::{
    routes::UNKNOWN_ID,
    setup::{MANY_WRITES, crowd},
};

/// Returns each reaction to the newest message: the emoji, the count, and whether the user reacted with the emoji.
async fn shown(user: &Person, group: &str) -> Vec<(String, i64, bool)> {
    let read = reads(user, group).await;
    let reactions = read[0]["reactions"].as_array().unwrap().iter();
    let row = |reaction: &Value| {
        (
            reaction["emoji"].as_str().unwrap().to_owned(),
            reaction["count"].as_i64().unwrap(),
            reaction["isMine"].as_bool().unwrap(),
        )
    };
    reactions.map(row).collect()
}

#[tokio::test]
async fn each_member_has_one_emoji_reaction_per_message() {
    let (_world, [ann, bob, cleo], group) = group_chat().await;
    let sent = id(&says(&ann, &group, "hello").await);
    for (user, emoji) in [(&ann, "👍"), (&bob, "❤"), (&bob, "❤️"), (&cleo, "❤️")] {
        reacts(user, &group, &sent, emoji).await.ok();
    }
    let heart = "❤️".to_owned();
    assert_eq!(shown(&bob, &group).await, [(heart.clone(), 2, true), ("👍".to_owned(), 1, false)]);
    let changed = reacts(&bob, &group, &sent, "👍").await.ok();
    assert_eq!(changed.data()["reactions"][0], json!({ "emoji": "👍", "count": 2, "isMine": true }));
    assert_eq!(shown(&ann, &group).await, [("👍".to_owned(), 2, true), (heart, 1, false)]);
    for _ in 0..2 {
        for user in [&ann, &bob, &cleo] {
            reacts(user, &group, &sent, Value::Null).await.ok();
        }
    }
    assert_eq!(shown(&cleo, &group).await, []);
}

#[tokio::test]
async fn a_reaction_must_be_a_single_emoji() {
    let (_world, [ann, _bob], group) = private_group().await;
    let sent = id(&says(&ann, &group, "hello").await);
    for emoji in ["👩‍👩‍👧‍👦", "👍🏽", "🇻🇳", "1️⃣", "🏳️‍🌈"] {
        assert_eq!(reacts(&ann, &group, &sent, emoji).await.ok().data()["reactions"][0]["emoji"], emoji);
    }
    for emoji in ["", " ", "a", "👍👍", "👍 ", "ok", "1", "\u{200d}", "<b>", &"👍".repeat(1000)] {
        let refused = reacts(&ann, &group, &sent, emoji).await;
        assert_eq!(refused.refused(400, "VALIDATION_FAILED"), "emoji: must be a single emoji", "{emoji}");
    }
    let path = format!("/message-group/{group}/messages/{sent}/reaction");
    let none = send(ann.request(Method::PUT, &path).json(&json!({}))).await;
    assert_eq!(none.refused(400, "VALIDATION_FAILED"), "emoji: is required");
}

#[tokio::test]
async fn concurrent_reactions_are_counted_up_to_20_different_emojis() {
    let world = World::builder().settings(MANY_WRITES).start().await;
    let people = crowd(&world, "fan", 0..21).await;
    let names: Vec<_> = people.iter().map(|person| person.name.as_str()).collect();
    let group = id(&makes(&people[0], "crowd", &names[1..]).await);
    let sent = id(&says(&people[0], &group, "hello").await);
    let all = people[..12].iter().map(|person| reacts(person, &group, &sent, "🎉"));
    let done = futures::future::join_all(all).await;
    assert!(done.iter().all(|answer| answer.status == 200), "{done:?}");
    assert_eq!(shown(&people[3], &group).await, [("🎉".to_owned(), 12, true)]);
    world.advance(1).await;
    let sent = id(&says(&people[0], &group, "fruit").await);
    let fruit: Vec<_> = "🍇🍈🍉🍊🍋🍌🍍🥭🍎🍏🍐🍑🍒🍓🥝🍅🥥🥑🍆🥔🥕".chars().map(String::from).collect();
    for (user, emoji) in people.iter().zip(&fruit).take(20) {
        reacts(user, &group, &sent, emoji.as_str()).await.ok();
    }
    reacts(&people[20], &group, &sent, fruit[20].as_str()).await.invalid("emoji");
    reacts(&people[20], &group, &sent, fruit[0].as_str()).await.ok();
    assert_eq!(shown(&people[20], &group).await[0], (fruit[0].clone(), 2, true));
}

#[tokio::test]
async fn only_group_members_can_react_to_visible_messages() {
    let (_world, [ann, bob, cleo, eve], group) = group_chat_beside("eve").await;
    let sent = id(&says(&ann, &group, "hello").await);
    reacts(&eve, &group, &sent, "👍").await.refused(403, "FORBIDDEN");
    reacts(&bob, &group, UNKNOWN_ID, "👍").await.refused(404, "NOT_FOUND");
    reacts(&bob, &group, &sent, "👍").await.ok();
    departs(&bob, &group).await.ok();
    reacts(&bob, &group, &sent, "🎉").await.refused(403, "FORBIDDEN");
    let left = shown(&cleo, &group).await;
    assert_eq!(left, [("👍".to_owned(), 1, false)], "the reaction of a former member stays");
    ann.delete(&format!("/message-group/{group}/messages/{sent}")).await.ok();
    reacts(&cleo, &group, &sent, "👍").await.refused(404, "NOT_FOUND");
    let pair = opens(&ann, &["cleo"]).await;
    let sent = id(&says(&ann, &pair, "hello").await);
    cleo.blocks(&ann).await;
    reacts(&ann, &pair, &sent, "👍").await.refused(403, "FORBIDDEN");
}

#[tokio::test]
async fn a_block_hides_reactions_and_messages_of_both_users() {
    let (world, [ann, bob, cleo], group) = group_chat().await;
    let sent = id(&says(&ann, &group, "hello").await);
    for user in [&ann, &bob, &cleo] {
        reacts(user, &group, &sent, "👍").await.ok();
    }
    bob.blocks(&cleo).await;
    for (user, count) in [(&ann, 3), (&bob, 2), (&cleo, 2)] {
        assert_eq!(shown(user, &group).await, [("👍".to_owned(), count, true)], "{}", user.name);
    }
    world.advance(1).await;
    let bobs = id(&says(&bob, &group, "bob's").await);
    reacts(&cleo, &group, &bobs, "👍").await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn a_message_reaction_is_throttled_after_many_conflicts() {
    let (world, [ann, _bob], group) = private_group().await;
    let sent = id(&says(&ann, &group, "hello").await);
    world.faults.plan("TransactWriteItems", Fault::Conflict, 0, 1000);
    let refused = reacts(&ann, &group, &sent, "👍").await;
    world.faults.calm();
    refused.refused(429, "TOO_MANY_REQUESTS");
    assert_eq!(refused.header("retry-after"), Some("1"));
    assert_eq!(shown(&ann, &group).await, []);
}
