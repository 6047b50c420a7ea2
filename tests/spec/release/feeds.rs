//! Stored feeds and pending fan-outs.

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
    the_feed_lists_stored_posts_newest_first(&past).await;
    unfollowed_authors_are_hidden_until_a_new_follow(&past).await;
    popular_authors_reach_old_and_new_followers(&past).await;
    the_feed_reflects_changes_at_once(&past).await;
}

async fn the_feed_lists_stored_posts_newest_first(past: &Past) {
    let dan = past.user("dan");
    let older = past.ids(["film", "once", "mention", "edited", "liked", "firstPost"]);
    let newer = past.ids(["photo", "unbrought", "ofPerson", "dismissed", "doubtful"]);
    let first = dan.get("/posts/news-feed?take=5").await.ok();
    assert_eq!(first.column("publicId"), newer, "the delivered evaluation job hid the harmful post");
    let rest = dan.get(&format!("/posts/news-feed?after={}", first.after().unwrap())).await.ok();
    assert_eq!((rest.column("publicId"), rest.after()), (older.clone(), None));
}

async fn the_feed_reflects_changes_at_once(past: &Past) {
    let (ann, bob) = (past.user("ann"), past.user("bob"));
    assert!(for_you(&ann).await.contains(past.known("edited")));
    let new = ann.writes("New").await;
    bob.deletes(&past.post("edited")).await;
    let feed = for_you(&ann).await;
    assert_eq!((&feed[0], feed.contains(past.known("edited"))), (&Value::from(new.id), false));
}

#[tokio::test]
async fn stored_pending_fan_outs_are_completed() {
    let past = Past::stored().await;
    let (cleo, eve) = (past.user("cleo"), past.user("eve"));
    let of_cleo =
        ["unbrought", "ofPerson", "dismissed", "doubtful", "once", "edited", "quote", "liked", "firstPost"];
    let of_eve =
        ["photo", "unbrought", "film", "mention", "forFriends", "private", "edited", "liked", "firstPost"];
    let with_unjudged = [past.ids(["unjudged"]), past.ids(of_cleo)].concat();
    assert_eq!(following(&cleo).await, with_unjudged);
    assert_eq!(following(&eve).await, past.ids(of_eve));
    past.world.settle().await;
    past.expire_caches().await;
    assert_eq!(following(&cleo).await, past.ids(of_cleo));
    assert_eq!(following(&eve).await, past.ids(of_eve), "the new follow adds earlier posts");
}

async fn popular_authors_reach_old_and_new_followers(past: &Past) {
    let (ann, fay, gil) = (past.user("ann"), past.user("fay"), past.user("gil"));
    let (new, other) = (ann.writes("To all").await, fay.writes("To all of mine").await);
    gil.follows(&ann).await;
    past.world.settle().await;
    past.expire_caches().await;
    let both = [Value::from(other.id.clone()), Value::from(new.id.clone())];
    for name in ["bob", "cleo", "dan", "gil"] {
        assert_eq!(following(&past.user(name)).await[..2], both, "{name}");
    }
    past.user("eve").unfollows(&ann).await;
    assert!(!following(&past.user("eve")).await.contains(&both[1]));
}

async fn unfollowed_authors_are_hidden_until_a_new_follow(past: &Past) {
    let (bob, dan, gil) = (past.user("bob"), past.user("dan"), past.user("gil"));
    assert!(!following(&dan).await.contains(past.known("edited")), "dan no longer follows the author");
    assert_eq!(following(&gil).await, past.ids(["ofPerson", "dismissed", "doubtful"]));
    gil.follows(&bob).await;
    past.world.settle().await;
    assert_eq!(following(&gil).await[0], *past.known("unbrought"));
    assert!(following(&gil).await.contains(past.known("firstPost")));
}
