//! Effects of blocks and mutes.

mod crowds;
mod engagements;
mod haste;
mod lists;
mod notices;
mod pushes;
mod sockets;

use domain::people::friendships;
use serde_json::{Value, json};
use tests::{Client, Person, World};

use crate::{
    circles::{
        creates_circle, joins,
        posts::{comments, id as written, writes_in},
    },
    setup::MANY_WRITES,
};

#[tokio::test]
async fn a_block_can_be_toggled_or_set_explicitly() {
    let (_world, [ann, bob]) = World::with(["ann", "bob"]).await;
    for (route, flag) in [("/block", "isBlocked"), ("/mute", "isMuted")] {
        for on in [true, false] {
            let answer = ann.post(&bob.path(route), Value::Null).await.ok();
            assert_eq!(answer.data(), &json!({ flag: on }));
            let again = ann.post(&bob.path(route), json!({ flag: on })).await.ok();
            assert_eq!(again.data(), &json!({ flag: on }));
            assert_eq!(ann.meets(&bob).await[flag], on);
            assert_eq!(bob.meets(&ann).await[flag], false);
        }
        ann.post(&ann.path(route), Value::Null).await.refused(400, "VALIDATION_FAILED");
        ann.post(&format!("/user/unknown{route}"), Value::Null).await.refused(404, "NOT_FOUND");
    }
}

#[tokio::test]
async fn a_block_ends_follows_and_requests_in_both_directions() {
    let (world, [ann, bob, cleo]) = World::with(["ann", "bob", "cleo"]).await;
    ann.follows(&bob).await;
    bob.follows(&ann).await;
    cleo.follows(&ann).await;
    bob.befriends(&ann).await;
    cleo.befriends(&ann).await;
    ann.blocks(&bob).await;

    assert_eq!(counts(&world, &ann).await, [1, 0, 1]);
    assert_eq!(counts(&world, &bob).await, [0, 0, 0]);
    assert_eq!(ann.get(&ann.path("/followers")).await.ok().column("username"), ["cleo"]);
    assert!(bob.get(&bob.path("/followers")).await.ok().rows().is_empty());
    let received = ann.get("/me/friend-requests/received").await.ok();
    assert_eq!(received.column("senderId"), [json!(cleo.public_id)]);
    assert!(bob.get("/me/friend-requests/sent").await.ok().rows().is_empty());

    ann.post(&bob.path("/block"), json!({ "isBlocked": false })).await.ok();
    assert_eq!(ann.meets(&bob).await["isFollowing"], false, "unblocking does not restore the follow");
    bob.follows(&ann).await;
    bob.befriends(&ann).await;
    assert_eq!(counts(&world, &ann).await, [2, 0, 2]);
}

/// Returns the numbers of followers, followed users and received friend requests.
async fn counts(world: &World, person: &Person) -> [i64; 3] {
    let profile = person.meets(person).await;
    let pending = friendships::count_pending(&world.app(), person.id.parse().unwrap()).await.unwrap();
    [profile["followersCount"].as_i64().unwrap(), profile["followingCount"].as_i64().unwrap(), pending]
}

#[tokio::test]
async fn blocked_users_cannot_follow_befriend_mention_or_reply() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let posts = [ann.writes("ann's").await, bob.writes("bob's").await];
    ann.blocks(&bob).await;
    let [of_ann, of_bob] = &posts;
    for (one, other, own, post) in [(&ann, &bob, of_ann, of_bob), (&bob, &ann, of_bob, of_ann)] {
        for path in ["/follower", "/friend-request"] {
            one.post(&other.path(path), Value::Null).await.refused(403, "FORBIDDEN");
        }
        let reply = one.post(&post.path("/reply"), json!({ "content": "but" })).await;
        reply.refused(403, "FORBIDDEN");
        let mention = json!({ "content": "hey", "mentions": [other.id] });
        for path in ["/posts".to_owned(), own.path("/reply"), post.path("/quote")] {
            one.post(&path, mention.clone()).await.refused(403, "FORBIDDEN");
        }
        assert_eq!(counts(&world, one).await, [0, 0, 0]);
    }
}

#[tokio::test]
async fn a_concurrent_block_prevents_a_follow() {
    let (world, [ann]) = World::with(["ann"]).await;
    for fan in world.fans(0..6).await {
        let request = json!({ "isFollowing": true });
        let path = ann.path("/follower");
        let (_, blocked) = tokio::join!(fan.post(&path, request), ann.blocks(&fan));
        assert_eq!(blocked.data()["isBlocked"], true);
        assert_eq!(fan.meets(&ann).await["isFollowing"], false);
        assert_eq!(counts(&world, &fan).await, [0, 0, 0]);
    }
    assert_eq!(counts(&world, &ann).await, [0, 0, 0]);
}

#[tokio::test]
async fn blocked_users_are_hidden_in_feeds_and_replies() {
    let (world, [ann, bob, cleo]) = World::with(["ann", "bob", "cleo"]).await;
    let root = cleo.writes("cleo's").await;
    let posts = [ann.writes("ann's").await, bob.writes("bob's").await];
    ann.replies(&root, "ann's reply").await;
    bob.replies(&root, "bob's reply").await;
    ann.blocks(&bob).await;
    // The second request gets the cached page. Hidden posts must be removed from it too.
    for _ in 0..2 {
        assert_eq!(feed(&ann).await, ["ann's", "cleo's"]);
        assert_eq!(feed(&bob).await, ["bob's", "cleo's"]);
        assert_eq!(feed(&cleo).await, ["bob's", "ann's", "cleo's"]);
    }
    for (reader, replies) in [(&ann, vec!["ann's reply"]), (&bob, vec!["bob's reply"])] {
        assert_eq!(reader.get(&root.path("/replies")).await.ok().column("content"), replies);
    }
    for (one, other) in [(&ann, &bob), (&bob, &ann)] {
        assert!(one.get(&other.path("/posts")).await.ok().rows().is_empty());
    }
    cleo.follows(&ann).await;
    bob.follows(&cleo).await;
    cleo.reposts(&posts[0]).await;
    world.settle().await;
    let following = bob.get("/posts/news-feed?type=FOLLOWING").await.ok();
    assert_eq!(following.column("content"), ["bob's", "cleo's"], "reposts of blocked users are omitted");

    ann.post(&bob.path("/block"), Value::Null).await.ok();
    assert_eq!(feed(&bob).await, ["bob's", "ann's", "cleo's"]);
}

async fn feed(reader: &Person) -> Vec<Value> {
    reader.get("/posts/news-feed").await.ok().column("content")
}

#[tokio::test]
async fn a_mute_hides_posts_only_in_the_feeds_of_the_muting_user() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let post = ann.writes("ann's").await;
    bob.writes("bob's").await;
    bob.replies(&post, "bob's reply").await;
    ann.follows(&bob).await;
    ann.post(&bob.path("/mute"), Value::Null).await.ok();
    world.settle().await;
    assert_eq!(feed(&ann).await, ["ann's"]);
    assert_eq!(feed(&bob).await, ["bob's", "ann's"]);
    assert_eq!(ann.get("/posts/news-feed?type=FOLLOWING").await.ok().column("content"), ["ann's"]);
    assert_eq!(ann.get(&post.path("/replies")).await.ok().column("content"), ["bob's reply"]);
    assert_eq!(ann.get(&bob.path("/posts")).await.ok().column("content"), ["bob's"]);
    bob.follows(&ann).await;
    assert_eq!(ann.meets(&bob).await["isFollowing"], true);
}

#[tokio::test]
async fn feed_pages_stay_full_if_posts_are_hidden() {
    let builder = World::builder().settings(MANY_WRITES);
    let (_world, [ann, bob, cleo]) = builder.start_with(["ann", "bob", "cleo"]).await;
    let mut written = Vec::new();
    for number in 0..12 {
        written.push(json!(ann.writes(&format!("ann {number}")).await.id));
        for _ in 0..4 {
            cleo.writes("noise").await;
        }
    }
    written.reverse();
    bob.post(&cleo.path("/mute"), Value::Null).await.ok();
    for _ in 0..2 {
        assert_eq!(bob.all_in_full_pages("/posts/news-feed", 5, "publicId").await, written);
    }
}

#[tokio::test]
async fn a_block_ends_the_friendship() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    for (asker, asked) in [(&ann, &bob), (&bob, &ann)] {
        asker.befriends(asked).await;
        let accept = format!("/me/friend-requests/{}/accept", asker.name);
        asked.patch(&accept, Value::Null).await.ok();
        let friend = ann.post(&bob.path("/friend-request"), Value::Null).await;
        assert_eq!(friend.refused(400, "VALIDATION_FAILED"), "username: is already your friend");
        ann.blocks(&bob).await;
        for user in [&ann, &bob] {
            assert!(user.get("/me/friends").await.ok().rows().is_empty());
        }
        ann.post(&bob.path("/block"), Value::Null).await.ok();
        asked.patch(&accept, Value::Null).await.refused(404, "NOT_FOUND");
        assert_eq!([counts(&world, &ann).await, counts(&world, &bob).await], [[0, 0, 0]; 2]);
    }
    ann.befriends(&bob).await;
}

#[tokio::test]
async fn a_block_hides_posts_and_comments_in_circles() {
    let (world, [ann, bob, cleo]) = World::with(["ann", "bob", "cleo"]).await;
    let circle = creates_circle(&ann, "Night readers").await;
    for member in [&bob, &cleo] {
        joins(member, &circle, &ann).await;
    }
    let post = written(&writes_in(&ann, &circle, "a post of ann's").await.ok());
    writes_in(&bob, &circle, "a post of bob's").await.ok();
    for (user, text) in [(&bob, "bob's comment"), (&cleo, "cleo's comment")] {
        world.advance(1).await;
        comments(user, &circle, &post, text).await;
    }
    cleo.blocks(&bob).await;
    let lists = async |reader: &Client, query: &str| {
        let posts = reader.get(&circle.path(&format!("/posts?{query}"))).await.ok();
        let below = reader.get(&circle.path(&format!("/posts?parentId={post}&{query}"))).await.ok();
        json!([posts.column("content"), below.column("content")])
    };
    for query in ["limit=20", "limit=1", "sort=quality"] {
        let cleos = json!([["a post of ann's"], ["cleo's comment"]]);
        assert_eq!(lists(&cleo, query).await, cleos, "{query}: pages are full");
    }
    let bobs = json!([["a post of bob's", "a post of ann's"], ["bob's comment"]]);
    assert_eq!(lists(&bob, "limit=20").await, bobs);
    for reader in [&*ann, &world.anyone] {
        let all = json!([["a post of bob's", "a post of ann's"], ["cleo's comment", "bob's comment"]]);
        assert_eq!(lists(reader, "limit=20").await, all);
    }
}
