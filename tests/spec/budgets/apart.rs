//! The cost of a FOLLOWING page does not depend on the viewer's likes of other posts.

use futures::{StreamExt, stream};
use serde_json::{Value, json};
use tests::{Cost, Person, World, check_cost};

const FOLLOWING: &str = "/posts/news-feed?type=FOLLOWING";

/// Makes `reader` like `many` posts by `other`. `reader` does not follow `other`.
async fn likes_many(world: &World, reader: &Person, other: &Person, many: usize) {
    let posts = stream::iter(0..many).map(|n| async move { other.writes(&format!("between {n}")).await });
    let posts: Vec<_> = posts.buffered(8).collect().await;
    stream::iter(&posts).for_each_concurrent(8, |post| async move { drop(reader.likes(post).await) }).await;
    world.settle().await;
}

/// Reads a page of one new and 19 old posts. In between, the reader liked `many` posts of another user. Returns
/// `isLiked` of each post, and the cost.
async fn page_across(many: usize) -> (Vec<Value>, Cost) {
    let (world, [ann, bob, cleo]) = super::busy_world().await;
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
async fn likes_of_other_posts_do_not_raise_the_cost_of_a_feed_page() {
    let (liked, few) = page_across(60).await;
    let every_second: Vec<_> = [true].into_iter().chain((0..19).map(|n| n % 2 == 0)).collect();
    assert_eq!(json!(liked), json!(every_second), "the page shows the likes of its newest and its old posts");
    let (_, many) = page_across(240).await;
    assert_eq!(few, many);
    check_cost("FOLLOWING, posts far apart", &few);
}
