//! What a page costs whose posts lie far apart: between them its viewer did something with many others.

use futures::{StreamExt, stream};
use serde_json::{Value, json};
use tests::{Cost, Person, World, check_cost};

const FOLLOWING: &str = "/posts/news-feed?type=FOLLOWING";

/// Another, of whom nobody heard, writes many posts, and somebody likes all of them.
async fn likes_many(world: &World, reader: &Person, other: &Person, many: usize) {
    let posts = stream::iter(0..many).map(|it| async move { other.writes(&format!("between {it}")).await });
    let posts: Vec<_> = posts.buffered(8).collect().await;
    stream::iter(&posts).for_each_concurrent(8, |post| async move { drop(reader.likes(post).await) }).await;
    world.settle().await;
}

/// A page of somebody's newest post and 19 of long ago, and what it costs.
async fn page_across(many: usize) -> (Vec<Value>, Cost) {
    let world = World::builder().settings(&[("WRITE_LIMIT_PER_5_MIN", "10000")]).start().await;
    let [ann, bob, cleo] = world.people(["ann", "bob", "cleo"]).await;
    bob.follows(&ann).await;
    for number in 0..19 {
        let post = ann.writes(&format!("{number}")).await;
        if number % 2 == 0 {
            bob.likes(&post).await;
        }
        world.advance(1).await;
    }
    likes_many(&world, &bob, &cleo, many).await;
    world.advance(1).await;
    let newest = ann.writes("newest").await;
    bob.likes(&newest).await;
    world.settle().await;
    let (page, cost) = world.cost_of(bob.get(FOLLOWING)).await;
    (page.ok().column("isLiked"), cost)
}

#[tokio::test]
async fn a_page_costs_the_same_however_much_its_viewer_did_between_its_posts() {
    let (liked, few) = page_across(60).await;
    let every_second: Vec<_> = [true].into_iter().chain((0..19).map(|it| it % 2 == 0)).collect();
    assert_eq!(
        json!(liked),
        json!(every_second),
        "the last row of those that are read is not the last that is liked"
    );
    let (_, many) = page_across(240).await;
    assert_eq!(few, many);
    check_cost("FOLLOWING, posts far apart", &few);
}
