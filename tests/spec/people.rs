//! Follows, with counts and lists of followers, and profiles.

mod references;
mod renames;

use domain::ledger::action_log::Action;
use futures::future::join_all;
use platform::table::Query;
use serde_json::{Value, json};
use tests::{Fault, Person, World};

use crate::{auth::limits::limit_headers, setup::crowd};

#[tokio::test]
async fn toggling_a_follow_updates_the_counts() {
    let (_world, [ann, bob]) = World::with(["ann", "bob"]).await;
    for (following, count) in [(true, 1), (false, 0), (true, 1)] {
        let answer = bob.post(&ann.path("/follower"), Value::Null).await.ok();
        assert_eq!(answer.data(), &json!({ "isFollowing": following, "followersCount": count }));
        assert_eq!(counts(&bob, &ann).await, [count, 0]);
        assert_eq!(counts(&bob, &bob).await, [0, count]);
        let seen = bob.meets(&ann).await;
        assert_eq!((&seen["isFollowing"], &seen["isFollowedBy"]), (&json!(following), &json!(false)));
        let seen = ann.meets(&bob).await;
        assert_eq!((&seen["isFollowing"], &seen["isFollowedBy"]), (&json!(false), &json!(following)));
    }
}

async fn counts(viewer: &Person, of: &Person) -> [i64; 2] {
    let profile = viewer.meets(of).await;
    ["followersCount", "followingCount"].map(|field| profile[field].as_i64().unwrap())
}

#[tokio::test]
async fn a_repeated_explicit_follow_has_no_effect() {
    let (_world, [ann, bob]) = World::with(["ann", "bob"]).await;
    for following in [false, true, true, true, false, false] {
        let request = json!({ "isFollowing": following });
        let answer = bob.post(&ann.path("/follower"), request).await.ok();
        let count = i64::from(following);
        assert_eq!(answer.data(), &json!({ "isFollowing": following, "followersCount": count }));
        assert_eq!(counts(&bob, &ann).await, [count, 0]);
    }
    for request in [json!({ "isFollowing": "yes" }), json!({ "isFollowing": 1 })] {
        bob.post(&ann.path("/follower"), request).await.invalid("isFollowing");
    }
}

#[tokio::test]
async fn users_cannot_follow_themselves_or_unknown_users() {
    let (world, [ann]) = World::with(["ann"]).await;
    ann.post(&ann.path("/follower"), Value::Null).await.refused(400, "VALIDATION_FAILED");
    for unknown in ["unknown", "me", "x", "a%20b"] {
        ann.post(&format!("/user/{unknown}/follower"), Value::Null).await.refused(404, "NOT_FOUND");
        for list in ["", "/posts", "/followers", "/following"] {
            ann.get(&format!("/user/{unknown}{list}")).await.refused(404, "NOT_FOUND");
        }
    }
    world.anyone.post(&ann.path("/follower"), Value::Null).await.refused(401, "UNAUTHORIZED");
    assert_eq!(counts(&ann, &ann).await, [0, 0]);
}

#[tokio::test]
async fn each_concurrent_follow_is_counted_once() {
    let (world, [ann]) = World::with(["ann"]).await;
    let fans = crowd(&world, "fan", 0..8).await;
    let twice = fans.iter().chain(&fans);
    join_all(twice.map(|fan| fan.follows(&ann))).await;
    assert_eq!(counts(&ann, &ann).await, [8, 0]);
    assert_eq!(counts(&ann, &fans[0]).await, [0, 1]);
    join_all(fans[..3].iter().chain(&fans[..3]).map(|fan| fan.unfollows(&ann))).await;
    assert_eq!(counts(&ann, &ann).await, [5, 0]);
    assert_eq!(ann.get(&ann.path("/followers")).await.ok().rows().len(), 5);
}

#[tokio::test]
async fn a_follow_counts_once_despite_a_lost_response_or_conflict() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    for fault in [Fault::Conflict, Fault::LostAnswer, Fault::Throttle] {
        world.faults.next("TransactWriteItems", fault);
        bob.follows(&ann).await;
        assert_eq!(world.faults.calm(), 1, "{fault:?}");
        assert_eq!(counts(&bob, &ann).await, [1, 0], "{fault:?}");
        bob.unfollows(&ann).await;
    }
}

#[tokio::test]
async fn a_follow_is_in_both_users_action_logs_once_a_day() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    for _ in 0..3 {
        bob.follows(&ann).await;
        bob.unfollows(&ann).await;
    }
    assert_eq!(actions(&world, &bob).await, [("FOLLOW_FOLLOWING_CREATED".to_owned(), ann.id.clone())]);
    assert_eq!(actions(&world, &ann).await, [("FLOW_FOLLOWER_CREATED".to_owned(), bob.id.clone())]);
}

async fn actions(world: &World, person: &Person) -> Vec<(String, String)> {
    let query = Query::partition(format!("USER#{}", person.id)).prefix("ACTION#");
    let rows: Vec<Action> = world.app().table.query(&query).await.unwrap();
    let kind = |action: &Action| serde_json::to_value(action.kind).unwrap().as_str().unwrap().to_owned();
    rows.into_iter().map(|action| (kind(&action), action.target_id)).collect()
}

#[tokio::test]
async fn follow_lists_are_newest_first_and_cursors_stay_valid() {
    let (world, [ann, bob, cleo, dan]) = World::with(["ann", "bob", "cleo", "dan"]).await;
    for fan in [&bob, &cleo, &dan] {
        fan.follows(&ann).await;
    }
    bob.follows(&dan).await;
    let first = bob.get(&ann.path("/followers?take=1")).await.ok();
    assert_eq!(first.column("username"), ["dan"]);
    assert_eq!(first.column("isFollowing"), [true]);
    let keys: Vec<_> = first.rows()[0].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["avatar", "isFollowing", "isVerified", "name", "publicId", "username"]);
    let after = first.after().unwrap().to_owned();
    assert_eq!(first.column("publicId"), [json!(after)]);

    dan.unfollows(&ann).await;
    for cursor in [&after, &dan.id] {
        let rest = bob.get(&ann.path(&format!("/followers?after={cursor}"))).await.ok();
        assert_eq!(rest.column("username"), ["cleo", "bob"]);
        assert_eq!(rest.column("isFollowing"), [false, false]);
        assert_eq!(rest.after(), None);
    }
    let all = world.anyone.get(&ann.path("/followers")).await.ok();
    assert_eq!(all.column("isFollowing"), [false, false]);

    bob.follows(&cleo).await;
    let following = bob.get(&bob.path("/following?take=2")).await.ok();
    assert_eq!(following.column("username"), ["cleo", "dan"]);
    let after = following.after().unwrap();
    let rest = bob.get(&bob.path(&format!("/following?after={after}"))).await.ok();
    assert_eq!(rest.column("username"), ["ann"]);
    for cursor in ["nonsense", "", &ann.id] {
        bob.get(&ann.path(&format!("/followers?after={cursor}"))).await.invalid("after");
    }
}

#[tokio::test]
async fn a_cursor_does_not_reveal_a_follow_that_ended_long_ago() {
    let builder = World::builder().without_ticks();
    let (world, [ann, bob, cleo, dan]) = builder.start_with(["ann", "bob", "cleo", "dan"]).await;
    for fan in [&bob, &cleo] {
        fan.follows(&ann).await;
    }
    cleo.unfollows(&ann).await;
    let list_after = async |user: &Person, list: &str, of: &Person, after: &Person| {
        user.get(&of.path(&format!("/{list}?after={}", after.id))).await
    };
    let rest = list_after(&dan, "followers", &ann, &cleo).await.ok();
    assert_eq!(rest.column("username"), ["bob"], "an ended follow is a valid cursor for an hour");
    world.advance(3600).await;
    let [cleo, dan] = [cleo.signs_in().await, dan.signs_in().await];
    for (list, of, once) in [("followers", &ann, &cleo), ("following", &cleo, &ann)] {
        let (once, never) = (list_after(&dan, list, of, once).await, list_after(&dan, list, of, &dan).await);
        assert_eq!((once.status, &once.text), (400, &never.text), "{list}");
    }
    cleo.follows(&ann).await;
    assert_eq!(list_after(&dan, "followers", &ann, &cleo).await.ok().column("username"), ["bob"]);
}

#[tokio::test]
async fn follows_are_limited_to_thirty_a_minute() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    for number in 1..=30 {
        let answer = bob.follows(&ann).await;
        let left = (30 - number).to_string();
        assert_eq!(limit_headers(&answer), [Some("30"), Some(left.as_str()), Some("60")]);
    }
    let answer = bob.post(&ann.path("/follower"), Value::Null).await;
    answer.refused(429, "TOO_MANY_REQUESTS");
    assert_eq!(answer.header("retry-after"), Some("60"));
    assert_eq!(counts(&ann, &ann).await, [1, 0]);
    ann.follows(&bob).await;
    world.advance(60).await;
    bob.unfollows(&ann).await;
}

#[tokio::test]
async fn only_the_first_follow_publishes_an_event() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    for announcements in [1, 0] {
        let (_, cost) = world.cost_of(bob.follows(&ann)).await;
        assert_eq!(cost.announcements, announcements);
    }
    assert_eq!(counts(&ann, &ann).await, [1, 0]);
    let (_, cost) = world.cost_of(bob.unfollows(&ann)).await;
    assert_eq!(cost.announcements, 0, "an unfollow publishes no event");
}

#[tokio::test]
async fn a_profile_is_public() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    ann.post("/auth/profile", json!({ "bio": "rivers" })).await.ok();
    let profile = bob.get("/api/v1/user/ANN").await.ok();
    let expected = json!({
        "publicId": ann.public_id, "name": "ann", "username": "ann", "bio": "rivers", "avatar": null,
        "createdAt": "2026-01-01T00:00:00.000Z", "isVerified": true, "followersCount": 0, "followingCount": 0,
        "isFollowing": false, "isFollowedBy": false, "friendStatus": "NONE",
        "isBlocked": false, "isMuted": false,
    });
    assert_eq!(profile.data(), &expected);
    assert_eq!(world.anyone.get(&ann.path("")).await.ok().data(), profile.data());
}

#[tokio::test]
async fn a_profile_lists_posts_quotes_and_reposts() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let post = bob.writes("bob's").await;
    ann.writes("own").await;
    ann.replies(&post, "reply").await;
    ann.quotes(&post, "quote").await;
    ann.reposts(&post).await;
    let first = bob.get(&ann.path("/posts?take=2")).await.ok();
    assert_eq!(first.column("type"), ["REPOST", "QUOTE"]);
    let after = first.after().unwrap();
    let rest = world.anyone.get(&ann.path(&format!("/posts?take=2&after={after}"))).await.ok();
    assert_eq!(rest.column("content"), ["own"]);
    assert_eq!(rest.after(), None);
}
