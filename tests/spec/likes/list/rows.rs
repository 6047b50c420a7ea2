//! Storage of a post's likers, in separate rows and on the post's row: each user is stored once.

use domain::{
    ids::UserId,
    posts::{engagements, likes},
};
use serde_json::{Value, json};
use tests::{Fault, Person, Post, World};
use ulid::Ulid;

use super::all;
use crate::{
    likes::{like_job, like_jobs, random_user_ids},
    scale::{all_rows, put, renamed, row},
};

#[tokio::test]
async fn each_of_many_likers_is_listed_once_at_a_bounded_cost() {
    let (world, [ann, bob], post) = World::with_post(["ann", "bob"]).await;
    bob.likes(&post).await;
    world.settle().await;
    world.advance(1).await;
    let fans = copies(&world, &bob, 200).await;
    like(&world, &post, &fans, true).await;
    let mut listed = ann.all(&post.path("/likes"), 100, "publicId").await;
    assert_eq!(listed.pop(), Some(json!(bob.public_id)), "the user who liked first is listed last");
    listed.sort_unstable_by_key(Value::to_string);
    let mut wanted: Vec<_> = fans.iter().map(|fan| json!(fan.public())).collect();
    wanted.sort_unstable_by_key(Value::to_string);
    assert_eq!(listed, wanted);
    // After the unlikes, a page that reads only empty rows has fewer likers, but a cursor.
    like(&world, &post, &fans, false).await;
    let path = post.path("/likes?take=2");
    let page = world.budget("likers after most likes were removed", ann.get(&path)).await;
    assert!(page.ok().after().is_some());
    assert_eq!(all(&ann, &post, 2).await, ["bob"]);
}

/// Creates `many` users by copying the rows of `of`.
async fn copies(world: &World, of: &Person, many: usize) -> Vec<UserId> {
    let users = random_user_ids(world, many);
    let profile = row(world, &format!("USER#{}", of.id), "PROFILE").await;
    let copies: Vec<_> = users.iter().map(|user| renamed(&profile, &[(&of.id, &user.to_string())])).collect();
    put(world, copies.into_iter()).await;
    users
}

/// Stores and counts likes or unlikes of these users.
async fn like(world: &World, post: &Post, users: &[UserId], liked: bool) {
    let jobs = like_jobs(world, post, users, liked).await;
    assert!(likes::apply(&world.app(), &jobs).await.is_empty());
}

#[tokio::test]
async fn each_liker_is_listed_once_if_batches_fail_or_repeat() {
    let (world, [ann, bob, cleo], post) = World::with_post(["ann", "bob", "cleo"]).await;
    bob.likes(&post).await;
    cleo.likes(&post).await;
    let jobs = [&bob, &cleo].map(|person| like_job(&world, person, &post));
    // The first attempts write liker rows before their transactions are refused.
    world.faults.plan("TransactWriteItems", Fault::Conflict, 0, 12);
    let failed = likes::apply(&world.app(), &jobs).await;
    assert!(world.faults.calm() > 0 && failed.is_empty(), "{failed:?}");
    for _ in 0..2 {
        assert!(likes::apply(&world.app(), &jobs).await.is_empty());
        world.settle().await;
    }
    for take in [1, 20] {
        let mut listed = all(&ann, &post, take).await;
        listed.sort_unstable_by_key(Value::to_string);
        assert_eq!(listed, ["bob", "cleo"]);
    }
}

#[tokio::test]
async fn a_liker_is_stored_once_and_can_be_removed() {
    let (world, [ann, bob, cleo], post) = World::with_post(["ann", "bob", "cleo"]).await;
    bob.likes(&post).await;
    cleo.likes(&post).await;
    world.settle().await;
    assert_eq!((times_listed(&world, &post, &bob).await, times_listed(&world, &post, &cleo).await), (1, 1));
    for _ in 0..3 {
        bob.unlikes(&post).await;
        world.settle().await;
        bob.likes(&post).await;
        world.settle().await;
    }
    assert_eq!((times_listed(&world, &post, &bob).await, times_listed(&world, &post, &cleo).await), (1, 1));
    assert_eq!(all(&ann, &post, 1).await, ["bob", "cleo"]);

    let app = world.app();
    let (user, id) = (bob.id.parse().unwrap(), post.id.parse().unwrap());
    let engagement = engagements::find(&app, user, id).await.unwrap().unwrap();
    for _ in 0..2 {
        likes::remove_liker(&app, &engagement).await.unwrap();
        assert_eq!(times_listed(&world, &post, &bob).await, 0);
        assert_eq!(all(&ann, &post, 1).await, ["cleo"]);
    }
}

/// Returns how often a user's ID is stored among the likers of a post.
pub(super) async fn times_listed(world: &World, post: &Post, person: &Person) -> usize {
    let id = person.id.parse::<Ulid>().unwrap().to_bytes();
    let rows = all_rows(world).await;
    let of_post = rows.iter().filter(|row| row["pk"].as_s().unwrap() == &format!("POST#{}", post.id));
    let bytes = of_post.flat_map(|row| row.values()).filter_map(|value| value.as_b().ok());
    bytes.map(|bytes| bytes.as_ref().chunks(16).filter(|part| *part == id).count()).sum()
}
