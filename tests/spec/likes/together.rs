//! Likes of different posts, counted in one transaction.

use domain::posts::likes::{self, LikeJob};
use tests::{Fault, Person, Post, World};

use super::{like_job, until_struck};

/// Writes posts of one kilobyte.
async fn written(person: &Person, posts: usize) -> Vec<Post> {
    let mut written = Vec::new();
    for number in 0..posts {
        written.push(person.writes(&format!("{number} {}", "x".repeat(900))).await);
    }
    written
}

/// Lets a user like posts. Returns the jobs that count the likes.
async fn liked(world: &World, person: &Person, posts: &[Post]) -> Vec<LikeJob> {
    let mut jobs = Vec::new();
    for post in posts {
        person.likes(post).await;
        jobs.push(like_job(world, person, post));
    }
    jobs
}

#[tokio::test]
async fn likes_of_different_posts_are_counted_in_shared_aws_calls() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let posts = written(&ann, 10).await;
    world.settle().await;
    let jobs = liked(&world, &bob, &posts).await;
    let failed = world.budget("apply likes of 10 posts (job)", likes::apply(&world.app(), &jobs)).await;
    assert!(failed.is_empty(), "{failed:?}");
    for post in &posts {
        assert_eq!(ann.sees(post).await["likesCount"], 1);
    }
}

#[tokio::test]
async fn an_unlike_of_one_post_does_not_delay_other_likes() {
    let (world, [ann, bob]) = World::with(["ann", "bob"]).await;
    let posts = written(&ann, 3).await;
    let jobs = liked(&world, &bob, &posts).await;
    let app = world.app();
    // The worker has read three likes. Conflicts delay it until the user removed one of them.
    world.faults.plan("TransactWriteItems", Fault::Conflict, 0, 7);
    let meanwhile = async {
        until_struck(&world).await;
        bob.unlikes(&posts[1]).await;
    };
    let (failed, ()) = tokio::join!(likes::apply(&app, &jobs), meanwhile);
    assert!(failed.is_empty(), "{failed:?}");
    assert_eq!(world.faults.calm(), 7);
    for (post, count) in posts.iter().zip([1, 0, 1]) {
        assert_eq!(ann.sees(post).await["likesCount"], count);
    }
}
