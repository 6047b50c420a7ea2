//! After a rename, posts show the new username, and the old username still leads to the profile.

use domain::people::users::Role;
use futures::future::join_all;
use serde_json::{Value, json};
use tests::{Fault, Person, Post, World};

use crate::{
    admin::administrator,
    circles::{creates_circle, posts},
};

const DAY: u64 = 24 * 60 * 60;

async fn renames(user: &Person, name: &str) {
    user.post("/auth/profile", json!({ "username": name, "name": "New name" })).await.ok();
}

async fn author(viewer: &Person, post: &Post) -> [Value; 2] {
    let user = viewer.sees(post).await["user"].clone();
    ["username", "name"].map(|field| user[field].clone())
}

#[tokio::test]
async fn a_rename_updates_the_username_in_earlier_posts() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let theirs = bob.writes("hello").await;
    let hidden = [ann.writes("a ghost").await, ann.quotes(&theirs, "a hidden quote").await];
    for post in &hidden {
        bob.post(&post.path("/hide"), Value::Null).await.ok();
    }
    let private = ann.posts(json!({ "content": "mine", "visibility": "PRIVATE" })).await;
    let listed =
        [ann.writes("one").await, ann.replies(&theirs, "two").await, ann.quotes(&theirs, "three").await];
    let posts: Vec<_> = hidden.iter().chain([&private]).chain(&listed).collect();
    renames(&ann, "anna").await;
    for post in &posts {
        assert_eq!(author(&ann, post).await, ["ann", "ann"], "before the job");
    }
    world.settle().await;
    for post in posts {
        assert_eq!(author(&ann, post).await, ["anna", "ann"]);
    }
    assert_eq!(author(&bob, &theirs).await, ["bob", "bob"]);
}

#[tokio::test]
async fn a_rename_updates_the_username_in_circle_posts() {
    let (world, [ann]) = World::with(["ann"]).await;
    let circle = creates_circle(&ann, "Night readers").await;
    let post = posts::id(&posts::writes_in(&ann, &circle, "A long enough text").await.ok());
    let comment = posts::comments(&ann, &circle, &post, "Another long enough text").await;
    renames(&ann, "anna").await;
    world.settle().await;
    for id in [post, comment] {
        assert_eq!(ann.get(&format!("/posts/{id}")).await.ok().data()["user"]["username"], "anna");
    }
}

#[tokio::test]
async fn a_profile_shows_a_new_username_at_once() {
    let (_world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    ann.quotes(&post, "again").await;
    bob.reposts(&post).await;
    renames(&ann, "anna").await;
    let own = bob.get("/user/anna/posts").await.ok();
    for row in own.rows() {
        assert_eq!((&row["user"]["username"], &row["user"]["name"]), (&json!("anna"), &json!("ann")));
    }
    assert_eq!(own.rows()[0]["origin"]["user"]["username"], "anna");
    assert_eq!(bob.get("/user/bob/posts").await.ok().rows()[0]["user"]["username"], "bob");
}

#[tokio::test]
async fn many_posts_are_renamed_despite_crashes() {
    let (world, [ann]) = World::with(["ann"]).await;
    let posts = join_all((0..55).map(async |number| ann.writes(&format!("{number}")).await)).await;
    for name in ["anna", "annabel"] {
        renames(&ann, name).await;
    }
    world.faults.plan("UpdateItem", Fault::CrashAfter, 20, 1);
    world.faults.plan("Query", Fault::Crash, 2, 1);
    world.settle().await;
    assert!(world.faults.calm() > 0);
    for post in &posts {
        assert_eq!(author(&ann, post).await[0], "annabel");
    }
}

#[tokio::test]
async fn an_old_username_leads_to_the_profile_for_30_days() {
    let (world, [ann, bob]) = World::builder().without_ticks().start_with(["ann", "bob"]).await;
    ann.writes("hello").await;
    renames(&ann, "anna").await;
    renames(&ann, "annabel").await;
    for old in ["ann", "anna", "ANNA"] {
        let profile = bob.get(&format!("/user/{old}")).await.ok();
        let shown = json!([profile.data()["username"], profile.data()["publicId"]]);
        assert_eq!(shown, json!(["annabel", ann.public_id]));
        let posts = bob.get(&format!("/user/{old}/posts")).await.ok();
        assert_eq!(posts.rows()[0]["user"]["username"], "annabel");
        bob.get(&format!("/user/{old}/followers")).await.ok();
        bob.post(&format!("/user/{old}/follower"), json!({ "isFollowing": true })).await.ok();
    }
    world.advance(30 * DAY - 1).await;
    world.anyone.get("/user/anna").await.ok();
    world.advance(1).await;
    world.anyone.get("/user/anna").await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn an_old_username_of_a_deleted_user_is_not_found() {
    let (_world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let group = json!({ "type": "private", "members": ["ann"] });
    renames(&ann, "anna").await;
    ann.leaves().await;
    for name in ["ann", "anna"] {
        bob.get(&format!("/user/{name}")).await.refused(404, "NOT_FOUND");
    }
    bob.post("/message-group", group).await.refused(400, "VALIDATION_FAILED");
}

#[tokio::test]
async fn requests_can_refer_to_a_user_by_an_old_username() {
    let world = World::new().await;
    let root = administrator(&world, "root", Role::Admin).await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    renames(&ann, "anna").await;
    let post = bob.posts(json!({ "content": "hi", "mentions": ["ann"] })).await;
    assert_eq!(post.json["mentions"], json!([ann.public_id]));
    let group = bob.post("/message-group", json!({ "type": "private", "members": ["ann"] })).await.ok();
    assert_eq!(group.data()["members"][1]["username"], "anna");
    let locked = root.patch("/admin/users/ann/lock", Value::Null).await.ok();
    assert_eq!(locked.data()["username"], "anna");
}
