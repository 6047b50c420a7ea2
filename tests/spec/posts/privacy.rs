//! Visibility of posts in lists, threads and shares.

use domain::people::users::Role;
use serde_json::{Value, json};
use tests::{Client, Person, Post, World};

use super::{are_friends, world_enforcing, writes_with};
use crate::{admin::administrator, auth::applications::program, moderation::reports};

#[tokio::test]
async fn a_profile_shows_only_posts_that_the_viewer_may_see() {
    for enforced in ["off", "on"] {
        let (world, [ann, bob, cleo, dan]) = world_enforcing(enforced, ["ann", "bob", "cleo", "dan"]).await;
        are_friends(&ann, &cleo).await;
        bob.follows(&ann).await;
        ann.follows(&dan).await;
        for round in ["1", "2"] {
            for visibility in ["PUBLIC", "FRIEND", "PRIVATE"] {
                writes(&ann, &format!("{visibility} {round}"), visibility).await;
            }
        }
        let all = ["PRIVATE 2", "FRIEND 2", "PUBLIC 2", "PRIVATE 1", "FRIEND 1", "PUBLIC 1"];
        let of = |kinds: &[&str]| -> Vec<_> {
            let shown = all.into_iter().filter(|content| kinds.iter().any(|kind| content.starts_with(kind)));
            shown.map(|content| json!(content)).collect()
        };
        for (viewer, kinds) in [
            (&*ann, &["PUBLIC", "FRIEND", "PRIVATE"][..]),
            (&*cleo, &["PUBLIC", "FRIEND"]),
            (&*bob, &["PUBLIC"]),
            (&*dan, &["PUBLIC"]),
            (&world.anyone, &["PUBLIC"]),
        ] {
            assert_eq!(viewer.all(&ann.path("/posts"), 1, "content").await, of(kinds), "{enforced}");
        }
    }
}

#[tokio::test]
async fn a_history_omits_versions_that_the_viewer_may_not_see() {
    for enforced in ["off", "on"] {
        let (world, [ann, bob, cleo]) = world_enforcing(enforced, ["ann", "bob", "cleo"]).await;
        are_friends(&ann, &cleo).await;
        let post = writes(&ann, "private", "PRIVATE").await;
        for (content, visibility) in [("for friends", "FRIEND"), ("public", "PUBLIC"), ("now", "PUBLIC")] {
            ann.patch(&post.path(""), json!({ "content": content, "visibility": visibility })).await.ok();
        }
        let path = post.path("/history");
        for (viewer, versions) in [
            (&*ann, &["public", "for friends", "private"][..]),
            (&*cleo, &["public", "for friends"]),
            (&*bob, &["public"]),
            (&world.anyone, &["public"]),
        ] {
            assert_eq!(viewer.all(&path, 1, "content").await, json!(versions).as_array().unwrap()[..]);
        }
        ann.patch(&post.path(""), json!({ "visibility": "FRIEND" })).await.ok();
        for stranger in [&*bob, &world.anyone] {
            stranger.get(&path).await.refused(404, "NOT_FOUND");
        }
        cleo.get(&path).await.ok();
    }
}

#[tokio::test]
async fn a_thread_omits_posts_that_the_viewer_may_not_see() {
    let (world, [ann, bob, cleo]) = World::with(["ann", "bob", "cleo"]).await;
    let hidden = writes(&ann, "mine", "PRIVATE").await;
    let shown = cleo.replies(&hidden, "shown").await;
    let last = ann.replies(&shown, "last").await;
    let above = async |viewer: &Client| {
        let thread = viewer.get(&last.path("/context")).await.ok();
        let above = thread.data()["ancestors"].as_array().unwrap();
        above.iter().map(|post| post["content"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(above(&ann).await, ["mine", "shown"]);
    for reader in [&*bob, &world.anyone] {
        assert_eq!(above(reader).await, ["shown"]);
    }
    for stranger in [&*bob, &world.anyone] {
        stranger.get(&hidden.path("/context")).await.refused(404, "NOT_FOUND");
    }
    bob.blocks(&cleo).await;
    assert_eq!(above(&bob).await, Vec::<String>::new(), "posts of blocked users are omitted");
}

#[tokio::test]
async fn quotes_and_reposts_do_not_show_a_hidden_original() {
    let world = World::new().await;
    let root = administrator(&world, "root", Role::Admin).await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann.writes("harmful").await;
    let shares = [bob.quotes(&post, "look").await, bob.reposts(&post).await];
    world.settle().await;
    for shown in [true, false] {
        for share in &shares {
            for viewer in [&ann, &bob] {
                assert_eq!(viewer.sees(share).await["origin"].is_null(), !shown);
            }
        }
        let listed = ann.get(&bob.path("/posts")).await.ok();
        assert!(listed.rows().iter().all(|post| post["origin"].is_null() != shown), "{listed}");
        let following = bob.get("/posts/news-feed?type=FOLLOWING").await.ok();
        assert!(following.rows().iter().all(|post| post["origin"].is_null() != shown), "{following}");
        let report = reports(&bob, &post.id, json!({})).await;
        root.patch(&report, json!({ "action": "hide" })).await.ok();
    }
}

#[tokio::test]
async fn a_quote_shows_its_original_only_to_permitted_viewers() {
    let (_world, [ann, bob, cleo]) = World::with(["ann", "bob", "cleo"]).await;
    are_friends(&ann, &cleo).await;
    for (visibility, friend_sees) in [("PRIVATE", false), ("FRIEND", true)] {
        let post = writes(&ann, "mine", visibility).await;
        let quote = ann.quotes(&post, "look").await;
        assert_eq!(ann.sees(&quote).await["origin"]["content"], "mine");
        assert!(bob.sees(&quote).await["origin"].is_null(), "{visibility}");
        assert_eq!(cleo.sees(&quote).await["origin"].is_null(), !friend_sees, "{visibility}");
    }
}

#[tokio::test]
async fn enforced_visibility_refuses_actions_on_invisible_posts() {
    let (world, [ann, bob, cleo]) = world_enforcing("on", ["ann", "bob", "cleo"]).await;
    are_friends(&ann, &cleo).await;
    for (visibility, friend_may) in [("PRIVATE", false), ("FRIEND", true)] {
        let post = writes(&ann, "mine", visibility).await;
        let before = ann.sees(&post).await;
        for (route, body) in writes_with(&post) {
            let written = bob.post(&route, body.clone()).await;
            assert_eq!(written.refused(404, "NOT_FOUND"), "no such post", "{route}");
            assert_eq!(cleo.post(&route, body).await.status / 100 == 2, friend_may, "{visibility} {route}");
        }
        world.settle().await;
        let counts = ["likesCount", "repliesCount", "quotesCount", "repostsCount"];
        let after = ann.sees(&post).await;
        let are_equal = counts.iter().all(|count| before[*count] == after[*count]);
        assert_eq!(are_equal, !friend_may, "{after}");
    }
}

#[tokio::test]
async fn enforced_visibility_also_hides_originals_of_reposts() {
    let (_world, [ann, bob]) = world_enforcing("on", ["ann", "bob"]).await;
    let post = writes(&ann, "mine", "PRIVATE").await;
    let repost = ann.reposts(&post).await;
    assert!(bob.sees(&repost).await["origin"].is_null());
    for (route, body) in [("/quote", json!({ "content": "look" })), ("/repost", Value::Null)] {
        bob.post(&repost.path(route), body).await.refused(404, "NOT_FOUND");
    }
    assert_eq!(ann.sees(&post).await["quotesCount"], 0);
}

#[tokio::test]
async fn moderators_can_read_reported_posts() {
    let (world, [ann, bob, cleo]) = world_enforcing("on", ["ann", "bob", "cleo"]).await;
    let root = administrator(&world, "root", Role::Admin).await;
    let moderator = administrator(&world, "moderator", Role::Moderator).await;
    are_friends(&ann, &bob).await;
    let [private, friend, unreported] = [
        writes(&ann, "1", "PUBLIC").await,
        writes(&ann, "2", "FRIEND").await,
        writes(&ann, "3", "FRIEND").await,
    ];
    let report = reports(&bob, &private.id, json!({})).await;
    reports(&bob, &friend.id, json!({})).await;
    reports(&bob, &unreported.id, json!({ "type": "user" })).await;
    ann.patch(&private.path(""), json!({ "visibility": "PRIVATE" })).await.ok();
    for action in [None, Some("hide"), Some("dismiss")] {
        if let Some(action) = action {
            moderator.patch(&report, json!({ "action": action })).await.ok();
        }
        for (post, content) in [(&private, "1"), (&friend, "2")] {
            for reader in [&root, &moderator] {
                assert_eq!(reader.sees(post).await["content"], content, "{action:?}");
            }
            for stranger in [&*cleo, &world.anyone] {
                stranger.get(&post.path("")).await.refused(404, "NOT_FOUND");
            }
        }
        bob.get(&private.path("")).await.refused(404, "NOT_FOUND");
        moderator.get(&unreported.path("")).await.refused(404, "NOT_FOUND");
    }
    let path = friend.path("");
    world.budget("a reported post, for moderators", moderator.get(&path)).await.ok();
    let reader = program(&moderator, &["read"]).await;
    reader.get(&path).await.refused(404, "NOT_FOUND");
    program(&moderator, &["read", "admin:reports"]).await.get(&path).await.ok();
    ann.deletes(&friend).await;
    moderator.get(&path).await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn moderators_without_a_second_factor_have_no_extra_access() {
    let settings = [("ENFORCE_VISIBILITY", "on"), ("ADMIN_SECOND_FACTOR", "required")];
    let world = World::builder().settings(&settings).start().await;
    let moderator = administrator(&world, "moderator", Role::Moderator).await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    are_friends(&ann, &bob).await;
    let post = writes(&ann, "mine", "FRIEND").await;
    reports(&bob, &post.id, json!({})).await;
    moderator.get(&post.path("")).await.refused(404, "NOT_FOUND");
}

async fn writes(user: &Person, content: &str, visibility: &str) -> Post {
    user.posts(json!({ "content": content, "visibility": visibility })).await
}
