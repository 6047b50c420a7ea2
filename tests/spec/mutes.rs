//! Muted words and muted threads.

mod threads;

use futures::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use tests::{Answer, Fault, Person, World};

use crate::{
    hashtags::contents,
    notifications::{notifications, ticks},
    setup::MANY_WRITES,
};

const WORDS: &str = "/me/muted-words";

async fn mutes(user: &Person, word: &str) -> Answer {
    user.post(WORDS, json!({ "word": word })).await
}

async fn unmutes(user: &Person, word: &str) -> Answer {
    user.call(Method::DELETE, WORDS, &json!({ "word": word })).await
}

async fn muted(user: &Person) -> Vec<Value> {
    user.get(WORDS).await.ok().column("word")
}

#[tokio::test]
async fn words_can_be_muted_listed_and_unmuted() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    assert!(muted(&ann).await.is_empty());
    for word in ["spoiler", "  Đà Lạt "] {
        mutes(&ann, word).await.ok();
        world.advance(1).await;
    }
    let again = mutes(&ann, "da lat").await.ok();
    assert_eq!(again.data(), &json!({ "word": "da lat", "isMuted": true }));
    let list = ann.get(WORDS).await.ok();
    assert_eq!(list.after(), None);
    let expected = json!([
        { "word": "Đà Lạt", "createdAt": "2026-01-01T00:00:01.000Z", "expiresAt": null, "scope": null },
        { "word": "spoiler", "createdAt": "2026-01-01T00:00:00.000Z", "expiresAt": null, "scope": null },
    ]);
    assert_eq!(list.data(), &expected);
    assert!(muted(&bob).await.is_empty());
    let unmuted = unmutes(&ann, "DA LAT").await.ok();
    assert_eq!(unmuted.data(), &json!({ "word": "DA LAT", "isMuted": false }));
    unmutes(&ann, "da lat").await.refused(404, "NOT_FOUND");
    assert_eq!(muted(&ann).await, ["spoiler"]);
}

#[tokio::test]
async fn muted_words_are_validated_and_limited() {
    let (_world, [ann]) = World::builder().settings(MANY_WRITES).start_with(["ann"]).await;
    for word in ["", "   ", "\u{2800}", "\u{200B}", &"x".repeat(101)] {
        for answer in [mutes(&ann, word).await, unmutes(&ann, word).await] {
            answer.invalid("word: must have 1 to 100 characters");
        }
    }
    for body in [json!({}), json!({ "word": 1 }), json!({ "word": "a", "more": 1 }), json!(["a"])] {
        ann.post(WORDS, body).await.refused(400, "VALIDATION_FAILED");
    }
    for number in 0..200 {
        mutes(&ann, &format!("word {number}")).await.ok();
    }
    let refused = mutes(&ann, "one more").await;
    let message = "word: the limit of 200 muted words is reached. Unmute one first.";
    assert_eq!(refused.refused(400, "VALIDATION_FAILED"), message);
    mutes(&ann, "WORD 7").await.ok();
    unmutes(&ann, "word 7").await.ok();
    mutes(&ann, "one more").await.ok();
    assert_eq!(muted(&ann).await.len(), 200);
}

#[tokio::test]
async fn concurrent_mutes_of_words_all_succeed() {
    let (world, [ann]) = World::with(["ann"]).await;
    let words: [String; 8] = std::array::from_fn(|number| format!("word{number}"));
    for answer in join_all(words.iter().map(|word| mutes(&ann, word))).await {
        answer.ok();
    }
    let mut listed = muted(&ann).await;
    listed.sort_unstable_by_key(Value::to_string);
    assert_eq!(listed, words.map(Value::from));
    world.faults.plan("PutItem", Fault::LostAnswer, 0, 1);
    unmutes(&ann, "word3").await.ok();
    assert_eq!(world.faults.calm(), 1);
    assert_eq!(muted(&ann).await.len(), 7);
}

#[tokio::test]
async fn muted_words_hide_posts_by_other_users() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    ann.follows(&bob).await;
    let post = ann.writes("coffee of mine").await;
    for text in ["Good CÀ PHÊ here", "nothing", "coffee, again"] {
        bob.writes(text).await;
        bob.replies(&post, text).await;
    }
    bob.posts(json!({ "content": "by its hashtag", "topic": "coffee" })).await;
    world.settle().await;
    for word in ["coffee", "ca phe"] {
        mutes(&ann, word).await.ok();
    }
    world.advance(10).await;
    let replies = post.path("/replies");
    let shown = ["nothing", "coffee of mine"];
    for (path, shown) in [
        ("/posts/news-feed", &shown[..]),
        ("/posts/news-feed?type=FOLLOWING", &shown),
        (&replies, &shown[..1]),
        ("/search?type=post&q=coffee", &shown[1..]),
        ("/search?type=post&q=good", &[]),
    ] {
        assert_eq!(contents(&ann, path).await, shown, "{path}");
        assert!(contents(&bob, path).await.len() > shown.len(), "the mute does not affect bob: {path}");
    }
    assert_eq!(contents(&ann, "/user/bob/posts").await.len(), 4, "mutes do not affect profiles");
    for word in ["coffee", "ca phe"] {
        unmutes(&ann, word).await.ok();
    }
    assert_eq!(contents(&ann, &replies).await.len(), 3);
}

#[tokio::test]
async fn muted_words_match_whole_words_and_phrases() {
    let (_world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let post = ann.writes("mine").await;
    for text in ["concatenate", "new, old york", "the end of it", "the cat", "New   YORK!"] {
        bob.replies(&post, text).await;
    }
    for word in ["cat", "new york", "the end is"] {
        mutes(&ann, word).await.ok();
    }
    let shown = contents(&ann, &post.path("/replies")).await;
    assert_eq!(shown, ["the end of it", "new, old york", "concatenate"]);
}

#[tokio::test]
async fn a_muted_word_hides_reposts_and_quotes() {
    let (world, [ann, bob, cleo]) = World::with(["ann", "bob", "cleo"]).await;
    ann.follows(&bob).await;
    let own = ann.writes("my spoiler").await;
    let theirs = cleo.writes("her spoiler").await;
    for post in [&own, &theirs] {
        bob.reposts(post).await;
        bob.quotes(post, "look at it").await;
    }
    ann.reposts(&theirs).await;
    world.settle().await;
    mutes(&ann, "spoiler").await.ok();
    world.advance(10).await;
    let feed = ann.get("/posts/news-feed?type=FOLLOWING").await.ok();
    let shown: Vec<_> =
        feed.rows().iter().map(|post| json!([post["type"], post["origin"]["content"]])).collect();
    let expected = [
        json!(["REPOST", "her spoiler"]),
        json!(["QUOTE", "my spoiler"]),
        json!(["REPOST", "my spoiler"]),
        json!(["POST", null]),
    ];
    assert_eq!(shown, expected, "own posts and shares are always shown");
    assert_eq!(contents(&ann, &theirs.path("/quotes")).await.len(), 0);
    assert_eq!(ann.sees(&theirs).await["content"], "her spoiler", "the post can be read by its ID");
}

#[tokio::test]
async fn a_post_with_a_muted_word_does_not_notify() {
    let (world, [ann, bob, cleo]) = World::with(["ann", "bob", "cleo"]).await;
    mutes(&ann, "spoiler").await.ok();
    let post = ann.writes("hello").await;
    for text in ["a Spoiler", "harmless"] {
        let reply = bob.replies(&post, text).await;
        cleo.replies(&reply, text).await;
        bob.posts(json!({ "content": text, "mentions": [ann.id, cleo.id] })).await;
    }
    ticks(&world).await;
    let counts = async |user: &Person| -> Vec<_> {
        let mut counts: Vec<_> = notifications(user)
            .await
            .iter()
            .map(|row| format!("{} {}", row["type"].as_str().unwrap(), row["count"]))
            .collect();
        counts.sort_unstable();
        counts
    };
    assert_eq!(counts(&ann).await, ["COMMENT 1", "MENTION 1", "POST 1"]);
    assert_eq!(counts(&cleo).await, ["MENTION 1", "MENTION 1"]);
}

#[tokio::test]
async fn pages_stay_full_at_a_bounded_cost_if_words_are_muted() {
    let (world, [ann, bob]) = World::builder().settings(MANY_WRITES).start_with(["ann", "bob"]).await;
    let post = ann.writes("mine").await;
    for number in 0..30 {
        let text = if number % 3 == 0 { "fine" } else { "a spoiler" };
        bob.replies(&post, text).await;
    }
    mutes(&ann, "spoiler").await.ok();
    let path = post.path("/replies?take=4");
    let page = world.budget("replies, most of them muted", ann.get(&path)).await.ok();
    assert_eq!((page.rows().len(), page.column("content").iter().all(|text| text == "fine")), (4, true));
    let rest = ann.get(&post.path(&format!("/replies?after={}", page.after().unwrap()))).await.ok();
    assert_eq!((rest.rows().len(), rest.after()), (6, None));
}
