//! Trending hashtags.

use serde_json::{Value, json};
use tests::Person;

use super::world_with_admin;

const HOUR: u64 = 60 * 60;

async fn trending(root: &Person) -> Vec<(Value, i64, f64)> {
    let answer = root.get("/admin/hashtags/trending").await.ok();
    let trend =
        |row: &Value| (row["name"].clone(), row["count"].as_i64().unwrap(), row["score"].as_f64().unwrap());
    answer.rows().iter().map(trend).collect()
}

#[tokio::test]
async fn trends_weight_posts_of_the_last_day_by_age() {
    let (world, root, [ann]) = world_with_admin(["ann"]).await;
    for text in ["#cats", "#cats again", "#Cats", "no tag"] {
        ann.writes(text).await;
    }
    world.advance(12 * HOUR).await;
    let (ann, root) = (ann.signs_in().await, root.signs_in().await);
    ann.writes("#dogs").await;
    ann.posts(json!({ "content": "#secret", "visibility": "PRIVATE" })).await;
    world.settle().await;
    assert_eq!(trending(&root).await, [(json!("dogs"), 1, 1.0), (json!("cats"), 3, 0.75)]);
    world.advance(12 * HOUR).await;
    let root = root.signs_in().await;
    assert_eq!(trending(&root).await, [(json!("dogs"), 1, 0.25)]);
}

#[tokio::test]
async fn deleted_hidden_and_edited_posts_do_not_trend() {
    let (world, root, [ann, bob]) = world_with_admin(["ann", "bob"]).await;
    let posts = [ann.writes("#one").await, ann.writes("#two").await, ann.writes("#three").await];
    ann.writes("#four").await;
    world.settle().await;
    assert_eq!(trending(&root).await.len(), 4);
    ann.deletes(&posts[0]).await;
    bob.post(&posts[1].path("/hide"), Value::Null).await.ok();
    ann.patch(&posts[2].path(""), json!({ "content": "#four" })).await.ok();
    world.settle().await;
    assert_eq!(trending(&root).await, [(json!("four"), 2, 2.0)]);
    bob.post(&posts[1].path("/hide"), Value::Null).await.ok();
    world.settle_as(7).await;
    assert_eq!(trending(&root).await.len(), 2);
}
