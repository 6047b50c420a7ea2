//! A post that very many like at once.

use futures::future::join_all;
use serde_json::json;
use tests::{Cost, Person, World, check_cost};

const READS_A_SECOND: usize = 3;

async fn fans(world: &World, ann: &Person) -> Vec<Person> {
    let names: Vec<_> = (0..8).map(|it| format!("fan{it}")).collect();
    let fans = join_all(names.iter().map(|it| world.person(it))).await;
    let other = ann.writes("another").await;
    // A window of the write limit begins with a person's first request: it is not counted here.
    for fan in &fans {
        fan.likes(&other).await;
    }
    world.settle().await;
    world.advance(1).await;
    fans
}

#[tokio::test]
async fn a_post_that_many_like_within_a_second_is_read_three_times_a_second_and_counted_right() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    let fans = fans(&world, &ann).await;
    let post = ann.writes("viral").await;
    let mut costs: Vec<Cost> = Vec::new();
    for fan in &fans {
        let path = post.path("/like");
        let (answer, cost) = world.cost_of(fan.post(&path, json!({ "isLiked": true }))).await;
        assert_eq!(answer.ok().data(), &json!({ "isLiked": true, "likesCount": 1 }), "the own like at once");
        costs.push(cost);
    }
    let (read, remembered) = costs.split_at(READS_A_SECOND);
    read.iter().for_each(|cost| check_cost("like", cost));
    remembered
        .iter()
        .for_each(|cost| check_cost("like a post that this instance read within the second", cost));
    world.settle().await;
    assert_eq!(ann.sees(&post).await["likesCount"], 8);
}

#[tokio::test]
async fn a_post_that_many_liked_and_that_is_gone_cannot_be_liked_a_second_later() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    let fans = fans(&world, &ann).await;
    let post = ann.writes("viral").await;
    for fan in &fans[1..] {
        fan.likes(&post).await;
    }
    ann.delete(&post.path("")).await.ok();
    world.advance(1).await;
    fans[0].post(&post.path("/like"), json!({ "isLiked": true })).await.refused(404, "NOT_FOUND");
}
