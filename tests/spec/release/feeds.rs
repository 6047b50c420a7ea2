//! Feeds of what was stored, and of what was not yet brought to anyone.

use serde_json::Value;
use tests::Person;

use super::Past;

async fn for_you(user: &Person) -> Vec<Value> {
    user.get("/posts/news-feed").await.ok().column("publicId")
}

async fn following(user: &Person) -> Vec<Value> {
    user.get("/posts/news-feed?type=FOLLOWING").await.ok().column("publicId")
}

#[tokio::test]
async fn stored_feeds_accept_new_posts() {
    let past = Past::settled().await;
    the_feed_has_what_was_stored_newest_first(&past).await;
    whom_one_left_is_hidden_until_one_comes_back(&past).await;
    who_was_popular_is_found_by_old_and_new_followers(&past).await;
    the_feed_changes_at_once_with_what_it_has(&past).await;
}

async fn the_feed_has_what_was_stored_newest_first(past: &Past) {
    let dan = past.user("dan");
    let older = past.ids(["film", "once", "mention", "edited", "liked", "firstPost"]);
    let newer = past.ids(["photo", "unbrought", "ofPerson", "dismissed", "doubtful"]);
    let first = dan.get("/posts/news-feed?take=5").await.ok();
    assert_eq!(first.column("publicId"), newer, "the worst was hidden by the job that was left");
    let rest = dan.get(&format!("/posts/news-feed?after={}", first.after().unwrap())).await.ok();
    assert_eq!((rest.column("publicId"), rest.after()), (older.clone(), None));
}

async fn the_feed_changes_at_once_with_what_it_has(past: &Past) {
    let (ann, bob) = (past.user("ann"), past.user("bob"));
    assert!(for_you(&ann).await.contains(past.known("edited")));
    let new = ann.writes("New").await;
    bob.deletes(&past.post("edited")).await;
    let feed = for_you(&ann).await;
    assert_eq!((&feed[0], feed.contains(past.known("edited"))), (&Value::from(new.id), false));
}

#[tokio::test]
async fn pending_fan_outs_are_completed() {
    let past = Past::left().await;
    let (cleo, eve) = (past.user("cleo"), past.user("eve"));
    let before = [
        "unjudged",
        "unbrought",
        "ofPerson",
        "dismissed",
        "doubtful",
        "once",
        "edited",
        "quote",
        "liked",
        "firstPost",
    ];
    assert_eq!(following(&cleo).await, past.ids(before));
    assert_eq!(
        following(&eve).await,
        past.ids([
            "photo",
            "unbrought",
            "film",
            "mention",
            "forFriends",
            "private",
            "edited",
            "liked",
            "firstPost"
        ])
    );
    past.world.settle().await;
    past.lets_memories_fade().await;
    let after =
        ["unbrought", "ofPerson", "dismissed", "doubtful", "once", "edited", "quote", "liked", "firstPost"];
    assert_eq!(following(&cleo).await, past.ids(after));
    let after =
        ["photo", "unbrought", "film", "mention", "forFriends", "private", "edited", "liked", "firstPost"];
    assert_eq!(following(&eve).await, past.ids(after), "whom she just followed is filled in");
}

async fn who_was_popular_is_found_by_old_and_new_followers(past: &Past) {
    let (ann, fay, gil) = (past.user("ann"), past.user("fay"), past.user("gil"));
    let (new, other) = (ann.writes("To all").await, fay.writes("To all of mine").await);
    gil.follows(&ann).await;
    past.world.settle().await;
    past.lets_memories_fade().await;
    let both = [Value::from(other.id.clone()), Value::from(new.id.clone())];
    for name in ["bob", "cleo", "dan", "gil"] {
        assert_eq!(following(&past.user(name)).await[..2], both, "{name}");
    }
    past.user("eve").unfollows(&ann).await;
    assert!(!following(&past.user("eve")).await.contains(&both[1]));
}

async fn whom_one_left_is_hidden_until_one_comes_back(past: &Past) {
    let (bob, dan, gil) = (past.user("bob"), past.user("dan"), past.user("gil"));
    assert!(!following(&dan).await.contains(past.known("edited")), "it was brought, and he left");
    assert_eq!(following(&gil).await, past.ids(["ofPerson", "dismissed", "doubtful"]));
    gil.follows(&bob).await;
    past.world.settle().await;
    assert_eq!(following(&gil).await[0], *past.known("unbrought"));
    assert!(following(&gil).await.contains(past.known("firstPost")));
}
