//! The posts on the memorial of a dead circle.

use serde_json::{Value, json};
use tests::{Person, World};

use super::{
    Circle, creates_circle,
    critic::{judged_world, text},
    hours, joins,
    posts::{id, writes_in},
    with_circle,
};
use crate::deletion::{runs_deletions, traces::rows_with};

/// Returns a dead circle of `ann`, and the IDs of the posts of `ann` and `bob` on its memorial.
async fn dead_circle(world: &World, ann: &Person, bob: &Person) -> (Circle, [String; 2]) {
    let circle = creates_circle(ann, "Night readers").await;
    joins(bob, &circle, ann).await;
    let mut posts = Vec::new();
    for (user, score) in [(ann, 9), (bob, 8)] {
        posts.push(id(&writes_in(user, &circle, &text(score, &user.name)).await.ok()));
    }
    world.settle().await;
    circle.reaches(world, 5, 0).await;
    hours(world, 1).await;
    (circle, posts.try_into().unwrap())
}

async fn top_posts(user: &Person, circle: &Circle) -> Value {
    user.signs_in().await.get(&format!("/museum/{}", circle.id)).await.ok().data()["topPosts"].clone()
}

#[tokio::test]
async fn a_memorial_keeps_its_posts_after_the_circle_is_purged() {
    let (world, [ann, bob]) = judged_world(["ann", "bob"]).await;
    let (circle, [first, second]) = dead_circle(&world, &ann, &bob).await;
    hours(&world, 25).await;
    let kept = json!([
        { "publicId": first, "content": text(9, "ann"), "author": "ann", "likesCount": 0 },
        { "publicId": second, "content": text(8, "bob"), "author": "bob", "likesCount": 0 },
    ]);
    assert_eq!(top_posts(&ann, &circle).await, kept);
    world.anyone.get(&format!("/posts/{first}")).await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn a_memorial_shows_the_new_name_of_an_author() {
    let (world, [ann, bob]) = judged_world(["ann", "bob"]).await;
    let (circle, _) = dead_circle(&world, &ann, &bob).await;
    let bob_later = bob.signs_in().await;
    bob_later.post("/auth/profile", json!({ "name": "Robert" })).await.ok();
    world.settle().await;
    let posts = top_posts(&ann, &circle).await;
    assert_eq!(json!([posts[0]["author"], posts[1]["author"]]), json!(["ann", "Robert"]));
    bob_later.post("/auth/profile", json!({ "name": "Rob", "username": "rob" })).await.ok();
    world.settle().await;
    assert_eq!(top_posts(&ann, &circle).await[1]["author"], "Rob");
}

#[tokio::test]
async fn a_new_memorial_has_the_current_name_of_an_author() {
    let (world, [ann], circle) = with_circle(judged_world(["ann"])).await;
    writes_in(&ann, &circle, &text(9, "good")).await.ok();
    ann.post("/auth/profile", json!({ "name": "Anna" })).await.ok();
    world.settle().await;
    circle.gains(&world, -500, 0).await;
    assert_eq!(top_posts(&ann, &circle).await[0]["author"], "Anna");
}

#[tokio::test]
async fn a_deleted_account_disappears_from_the_memorial() {
    let (world, [ann, bob]) = judged_world(["annabella", "bob"]).await;
    let (circle, [first, second]) = dead_circle(&world, &bob, &ann).await;
    hours(&world, 25).await;
    ann.signs_in().await.leaves().await;
    world.settle().await;
    let stone = bob.signs_in().await.get(&format!("/museum/{}", circle.id)).await.ok().data().clone();
    assert_eq!(stone["topPostIds"], json!([first, second]));
    assert_eq!(stone["topPosts"].as_array().unwrap().len(), 1);
    assert_eq!(stone["topPosts"][0]["publicId"], json!(first));
    runs_deletions(&world).await;
    assert_eq!(rows_with(&world, &[&ann.id, "annabella"]).await, Vec::<String>::new());
}
