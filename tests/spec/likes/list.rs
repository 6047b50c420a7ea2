//! The list of a post's likers, newest like first.

use serde_json::{Value, json};
use tests::{Answer, Client, Post, World};

use crate::posts::{are_friends, world_enforcing};

mod open;
mod rows;

async fn page(reader: &Client, post: &Post, query: &str) -> Answer {
    reader.get(&post.path(&format!("/likes{query}"))).await.ok()
}

async fn likers(reader: &Client, post: &Post) -> Vec<Value> {
    page(reader, post, "").await.column("username")
}

/// Returns the usernames on all pages of `take` rows.
async fn all(reader: &Client, post: &Post, take: usize) -> Vec<Value> {
    reader.all(&post.path("/likes"), take, "username").await
}

#[tokio::test]
async fn likers_are_listed_newest_first_across_batches() {
    let (world, [ann, bob, cleo, dan, eve], post) =
        World::with_post(["ann", "bob", "cleo", "dan", "eve"]).await;
    assert!(likers(&ann, &post).await.is_empty());
    for fan in [&cleo, &bob, &dan] {
        fan.likes(&post).await;
        world.advance(1).await;
    }
    world.settle().await;
    eve.likes(&post).await;
    world.settle().await;
    for viewer in [&world.anyone, &*ann, &*bob] {
        assert_eq!(likers(viewer, &post).await, ["eve", "dan", "bob", "cleo"]);
        for take in 1..=4 {
            assert_eq!(all(viewer, &post, take).await, ["eve", "dan", "bob", "cleo"], "{take} a page");
        }
    }
    ann.follows(&dan).await;
    let list = page(&ann, &post, "").await;
    assert_eq!(list.column("isFollowing"), [false, true, false, false]);
    let keys: Vec<_> = list.rows()[0].as_object().unwrap().keys().collect();
    assert_eq!(keys, ["avatar", "isFollowing", "isVerified", "name", "publicId", "username"]);
}

#[tokio::test]
async fn before_a_like_is_counted_only_its_user_sees_it_listed() {
    let (world, [ann, bob, cleo], post) = World::with_post(["ann", "bob", "cleo"]).await;
    cleo.likes(&post).await;
    world.settle().await;
    bob.likes(&post).await;
    assert_eq!(likers(&bob, &post).await, ["bob", "cleo"]);
    assert_eq!(likers(&ann, &post).await, ["cleo"]);
    let first = page(&bob, &post, "?take=1").await;
    assert_eq!(first.column("username"), ["bob"]);
    let rest = format!("?take=1&after={}", first.after().unwrap());
    assert_eq!(page(&bob, &post, &rest).await.column("username"), ["cleo"]);
    world.settle().await;
    let names = page(&bob, &post, &rest).await.column("username");
    assert_eq!(names, ["cleo"], "after bob's like was counted, it is not on the second page");
    assert_eq!(likers(&ann, &post).await, ["bob", "cleo"]);
    bob.unlikes(&post).await;
    for viewer in [&ann, &bob] {
        assert_eq!(likers(viewer, &post).await, ["cleo"], "a removed like is not listed");
    }
}

#[tokio::test]
async fn repeated_likes_are_listed_once_at_the_newest_position() {
    let (world, [ann, bob, cleo], post) = World::with_post(["ann", "bob", "cleo"]).await;
    for settled in [true, false] {
        for fan in [&bob, &cleo, &bob] {
            fan.unlikes(&post).await;
            if settled {
                world.settle().await;
            }
            fan.likes(&post).await;
            if settled {
                world.settle().await;
            }
        }
        world.settle().await;
        for take in [1, 20] {
            assert_eq!(all(&ann, &post, take).await, ["bob", "cleo"], "delivered after each step: {settled}");
        }
    }
}

#[tokio::test]
async fn the_cursor_of_a_removed_or_renewed_like_stays_valid() {
    let (world, people) = World::with(["ann", "bob", "cleo", "dan", "eve"]).await;
    let [ann, fans @ ..] = &people;
    let post = ann.writes("hello").await;
    for fan in fans {
        fan.likes(&post).await;
        world.advance(1).await;
    }
    world.settle().await;
    let first = page(ann, &post, "?take=2").await;
    assert_eq!(first.column("username"), ["eve", "dan"]);
    let (by_position, dan) = (first.after().unwrap().to_owned(), first.rows()[1]["publicId"].clone());
    let by_user = dan.as_str().unwrap();
    for after in [&*by_position, by_user] {
        let rest = page(ann, &post, &format!("?after={after}")).await;
        assert_eq!(json!([rest.column("username"), rest.after()]), json!([["cleo", "bob"], null]));
    }
    people[3].unlikes(&post).await;
    world.settle().await;
    for after in [&*by_position, by_user] {
        assert_eq!(page(ann, &post, &format!("?after={after}")).await.column("username"), ["cleo", "bob"]);
    }
    people[3].likes(&post).await;
    world.settle().await;
    let rest = page(ann, &post, &format!("?after={by_position}")).await;
    assert_eq!(rest.column("username"), ["cleo", "bob"], "a cursor keeps its position");
}

#[tokio::test]
async fn likers_are_visible_only_to_readers_of_the_post() {
    for enforced in ["off", "on"] {
        let (_world, [ann, bob, cleo]) = world_enforcing(enforced, ["ann", "bob", "cleo"]).await;
        are_friends(&ann, &bob).await;
        for (visibility, may) in [
            ("PUBLIC", [true, true, true]),
            ("FRIEND", [true, true, false]),
            ("PRIVATE", [true, false, false]),
        ] {
            let post = ann.posts(json!({ "content": "hello", "visibility": visibility })).await;
            for list in ["/likes", "/reposts", "/quotes"] {
                for (user, may) in [&ann, &bob, &cleo].into_iter().zip(may) {
                    let answer = user.get(&post.path(list)).await;
                    match may {
                        true => drop(answer.ok()),
                        false => drop(answer.refused(404, "NOT_FOUND").to_owned()),
                    }
                }
            }
        }
    }
}

#[tokio::test]
async fn liker_lists_of_deleted_posts_and_bad_cursors_are_refused() {
    let (world, [ann, bob], post) = World::with_post(["ann", "bob"]).await;
    bob.likes(&post).await;
    for list in ["/likes", "/reposts", "/quotes"] {
        ann.get(&post.path(&format!("{list}?after=nonsense"))).await.invalid("after");
        ann.get(&post.path(&format!("{list}?take=0"))).await.invalid("take");
    }
    ann.deletes(&post).await;
    world.settle().await;
    for list in ["/likes", "/reposts", "/quotes"] {
        bob.get(&post.path(list)).await.refused(404, "NOT_FOUND");
        bob.get(&format!("/posts/{}{list}", bob.id)).await.refused(404, "NOT_FOUND");
    }
}
