//! A post that gets many likes within a second.

use serde_json::json;
use tests::{Cost, Person, World, check_cost};

const READS_A_SECOND: usize = 3;

async fn fans(world: &World, ann: &Person) -> Vec<Person> {
    let fans = world.fans(0..8).await;
    let other = ann.writes("another").await;
    // Starts each user's write limit window now, so that later costs do not include the start.
    for fan in &fans {
        fan.likes(&other).await;
    }
    world.settle().await;
    world.advance(1).await;
    fans
}

#[tokio::test]
async fn an_instance_reads_a_viral_post_at_most_3_times_a_second() {
    let (world, [ann]) = World::with(["ann"]).await;
    let fans = fans(&world, &ann).await;
    let post = ann.writes("viral").await;
    let mut costs: Vec<Cost> = Vec::new();
    for fan in &fans {
        let (answer, cost) = world.cost_of(fan.likes(&post)).await;
        let liked = json!({ "isLiked": true, "likesCount": 1 });
        assert_eq!(answer.data(), &liked, "the response counts the user's own like");
        costs.push(cost);
    }
    let (read, cached) = costs.split_at(READS_A_SECOND);
    read.iter().for_each(|cost| check_cost("like", cost));
    cached.iter().for_each(|cost| check_cost("like a post that this instance read within the second", cost));
    world.settle().await;
    assert_eq!(ann.sees(&post).await["likesCount"], 8);
}

#[tokio::test]
async fn a_deleted_viral_post_cannot_be_liked_a_second_later() {
    let (world, [ann]) = World::with(["ann"]).await;
    let fans = fans(&world, &ann).await;
    let post = ann.writes("viral").await;
    for fan in &fans[1..] {
        fan.likes(&post).await;
    }
    ann.delete(&post.path("")).await.ok();
    world.advance(1).await;
    fans[0].post(&post.path("/like"), json!({ "isLiked": true })).await.refused(404, "NOT_FOUND");
}

#[tokio::test]
async fn quick_likes_and_unlikes_of_one_user_are_counted_exactly() {
    let (world, [_ann, bob], post) = World::with_post(["ann", "bob"]).await;
    for number in 0..12 {
        let liked = number % 2 == 0;
        let (path, body) = (post.path("/like"), json!({ "isLiked": liked }));
        let answer = match number < 6 {
            true => bob.post(&path, body).await,
            false => bob.post_once(&format!("like {number}"), &path, body).await,
        };
        let expected = json!({ "isLiked": liked, "likesCount": u8::from(liked) });
        assert_eq!(answer.ok().data(), &expected, "request {number}");
        world.settle().await;
    }
}
