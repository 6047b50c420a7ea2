//! Lists of blocked and muted users.

use serde_json::{Value, json};
use tests::{Person, World};

use crate::circles::{creates_circle, joins};

async fn names(user: &Person, list: &str) -> Vec<Value> {
    user.get(&format!("/me/{list}")).await.ok().column("username")
}

async fn sets(user: &Person, other: &Person, list: &str, on: bool) {
    let (path, flag) = match list {
        "blocked" => ("/block", "isBlocked"),
        _ => ("/mute", "isMuted"),
    };
    user.post(&other.path(path), json!({ flag: on })).await.ok();
}

#[tokio::test]
async fn blocked_and_muted_users_are_listed_newest_first() {
    let (world, [ann, bob, cleo, dan]) = World::with(["ann", "bob", "cleo", "dan"]).await;
    for list in ["blocked", "muted"] {
        for other in [&cleo, &bob, &dan] {
            sets(&ann, other, list, true).await;
            world.advance(1).await;
        }
        assert_eq!(names(&ann, list).await, ["dan", "bob", "cleo"], "{list}");
        assert!(names(&bob, list).await.is_empty(), "users do not see who blocks or mutes them");
        sets(&ann, &bob, list, false).await;
        assert_eq!(names(&ann, list).await, ["dan", "cleo"], "{list}");
        sets(&ann, &bob, list, true).await;
        sets(&ann, &bob, list, true).await;
        assert_eq!(names(&ann, list).await, ["bob", "dan", "cleo"], "{list}");
    }
    let muted = ann.get("/me/muted").await.ok();
    let keys: Vec<_> = muted.rows()[0].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["avatar", "isFollowing", "isVerified", "name", "publicId", "username"]);
}

#[tokio::test]
async fn a_user_can_be_both_blocked_and_muted() {
    let (_world, [ann, bob]) = World::with(["ann", "bob"]).await;
    ann.follows(&bob).await;
    sets(&ann, &bob, "muted", true).await;
    assert_eq!(ann.get("/me/muted").await.ok().column("isFollowing"), [true]);
    sets(&ann, &bob, "blocked", true).await;
    sets(&bob, &ann, "blocked", true).await;
    ann.unfollows(&bob).await;
    for (list, ended) in [("muted", "blocked"), ("blocked", "muted")] {
        sets(&ann, &bob, ended, false).await;
        assert_eq!(names(&ann, list).await, ["bob"], "{list}");
        assert!(names(&ann, ended).await.is_empty(), "{ended}");
        sets(&ann, &bob, ended, true).await;
    }
    assert_eq!(names(&bob, "blocked").await, ["ann"]);
}

#[tokio::test]
async fn an_unblocked_or_unmuted_user_stays_valid_as_a_cursor() {
    let (world, people) = World::with(["ann", "bob", "cleo", "dan"]).await;
    let [ann, others @ ..] = &people;
    for list in ["blocked", "muted"] {
        for other in others {
            sets(ann, other, list, true).await;
            world.advance(1).await;
        }
        let first = ann.get(&format!("/me/{list}?take=1")).await.ok();
        assert_eq!(first.column("username"), ["dan"]);
        sets(ann, &people[3], list, false).await;
        let path = format!("/me/{list}?take=2&after={}", first.after().unwrap());
        let rest = ann.get(&path).await.ok();
        assert_eq!(json!([rest.column("username"), rest.after()]), json!([["cleo", "bob"], null]));
        for after in ["nonsense", &ann.id] {
            ann.get(&format!("/me/{list}?after={after}")).await.invalid("after");
        }
        ann.get(&format!("/me/{list}?take=0")).await.refused(400, "VALIDATION_FAILED");
    }
}

#[tokio::test]
async fn a_block_hides_users_in_each_others_lists_of_people() {
    let (_world, [ann, bob, cleo, dan]) = World::with(["ann", "bob", "cleo", "dan"]).await;
    let circle = creates_circle(&ann, "Readers").await;
    for person in [&bob, &cleo, &dan] {
        person.follows(&ann).await;
        ann.follows(person).await;
        joins(person, &circle, &ann).await;
    }
    bob.blocks(&cleo).await;
    let lists = [ann.path("/followers"), ann.path("/following"), circle.path("/members")];
    for (viewer, hidden) in [(&bob, "cleo"), (&cleo, "bob"), (&dan, "eve")] {
        for list in &lists {
            let all = viewer.get(list).await.ok().column("username");
            let is_shown = |name: &str| all.contains(&json!(name));
            let seen = ["bob", "cleo", "dan"].map(is_shown);
            assert_eq!(seen, ["bob", "cleo", "dan"].map(|name| name != hidden), "{list}");
            let page = viewer.get(&format!("{list}?take={}", all.len() - 1)).await.ok();
            assert_eq!(page.column("username"), all[..all.len() - 1], "a page is full");
            let next = viewer.get(&format!("{list}?after={}", page.after().unwrap())).await.ok();
            assert_eq!(next.column("username"), all[all.len() - 1..]);
        }
    }
}
