//! Likes: counted once a person, whatever queues, crashes and conflicts do.

mod hot;
mod list;
mod together;
mod viral;

use std::collections::HashSet;

use domain::{
    ids::UserId,
    posts::{
        self, engagements,
        likes::{self, LikeJob},
    },
};
use futures::{StreamExt, stream};
use proptest::prelude::*;
use serde_json::json;
use tests::{Fault, Person, Post, World};

#[tokio::test]
async fn twelve_people_at_once_are_twelve_likes() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    let post = ann.writes("hello").await;
    let names: [String; 12] = std::array::from_fn(|it| format!("fan{it:02}"));
    let fans = futures::future::join_all(names.iter().map(|it| world.person(it))).await;
    futures::future::join_all(fans.iter().map(|fan| fan.likes(&post))).await;
    world.settle().await;
    assert_eq!(ann.sees(&post).await["likesCount"], 12);
    fans[0].unlikes(&post).await;
    fans[0].likes(&post).await;
    fans[1].unlikes(&post).await;
    world.settle().await;
    assert_eq!(ann.sees(&post).await["likesCount"], 11);
}

#[tokio::test]
async fn the_own_like_is_counted_at_once_everywhere() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    let quote = ann.quotes(&post, "look").await;
    for (liked, count) in [(true, 1), (true, 1), (false, 0), (true, 1)] {
        let answer = bob.post(&post.path("/like"), json!({ "isLiked": liked })).await.ok();
        assert_eq!(answer.data(), &json!({ "isLiked": liked, "likesCount": count }));
        for settled in [false, true] {
            if settled {
                world.settle().await;
            }
            let detail = bob.sees(&post).await;
            let feed = bob.get("/posts/news-feed").await.ok().rows()[0].clone();
            let origin = bob.sees(&quote).await["origin"].clone();
            for seen in [detail, feed, origin] {
                let seen = (&seen["isLiked"], &seen["likesCount"]);
                assert_eq!(seen, (&json!(liked), &json!(count)), "settled: {settled}");
            }
        }
    }
}

#[tokio::test]
async fn a_like_that_stands_sends_nothing_more() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    for (liked, messages) in [(false, 0), (true, 1), (true, 0), (false, 1), (false, 0)] {
        let (answer, cost) = world.cost_of(bob.post(&post.path("/like"), json!({ "isLiked": liked }))).await;
        answer.ok();
        assert_eq!((cost.messages, cost.sends), (messages, 0), "{liked}");
    }
}

#[tokio::test]
async fn a_worker_that_ends_after_its_commit_counts_once() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    bob.likes(&post).await;
    for fault in [Fault::CrashAfter, Fault::LostAnswer, Fault::Conflict] {
        world.faults.next("TransactWriteItems", fault);
        world.settle().await;
        assert_eq!(world.faults.calm(), 1, "{fault:?}");
        assert_eq!(ann.sees(&post).await["likesCount"], 1, "{fault:?}");
        bob.unlikes(&post).await;
        world.settle().await;
        bob.likes(&post).await;
    }
}

#[tokio::test]
async fn an_outdated_copy_of_a_post_counts_the_own_like_once() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    let (app, id, user) = (world.app(), post.id.parse().unwrap(), bob.id.parse().unwrap());
    let copy = async || posts::find(&app, id).await.unwrap();
    let mine = async || engagements::find(&app, user, id).await.unwrap();
    let mut copies = vec![copy().await];
    for (wished, count) in [(true, 1), (false, 0), (true, 1)] {
        bob.post(&post.path("/like"), json!({ "isLiked": wished })).await.ok();
        copies.push(copy().await);
        world.settle().await;
        // What an index or a cache may still show, beside what is true of the own like by now.
        let seen = likes::seen_by(copies.last().unwrap(), mine().await.as_ref());
        assert_eq!((seen.is_liked, seen.likes_count), (wished, count));
    }
}

#[tokio::test]
async fn a_change_of_mind_while_a_worker_applies_it_is_not_lost() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    bob.likes(&post).await;
    let (app, id, user) = (world.app(), post.id.parse().unwrap(), bob.id.parse().unwrap());
    // The worker has read the like, and is kept from counting it while the like is taken back, and
    // while another worker finds nothing to apply.
    world.faults.plan("TransactWriteItems", Fault::Conflict, 0, 7);
    let added = [LikeJob::Added { user, post: id, at: app.now() }];
    let slow = likes::apply(&app, &added);
    let meanwhile = async {
        while !world.faults.have_struck() {
            tokio::task::yield_now().await;
        }
        bob.unlikes(&post).await;
        likes::apply(&app, &[LikeJob::Removed { user, post: id }]).await
    };
    let (one, other) = tokio::join!(slow, meanwhile);
    assert!(one.is_empty() && other.is_empty(), "{one:?} {other:?}");
    assert_eq!(world.faults.calm(), 7);
    assert_eq!(ann.sees(&post).await["likesCount"], 0);
}

#[tokio::test]
async fn more_likes_than_a_transaction_holds_are_counted() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    let post = ann.writes("hello").await;
    let mut jobs = liking(&world, &post, &strangers(&world, 250), true).await;
    jobs.extend(jobs.clone());
    let failed = likes::apply(&world.app(), &jobs).await;
    assert!(failed.is_empty(), "{failed:?}");
    assert_eq!(ann.sees(&post).await["likesCount"], 250);
}

#[tokio::test]
async fn is_liked_is_strictly_a_boolean() {
    let world = World::new().await;
    let ann = world.person("ann").await;
    let post = ann.writes("hello").await;
    for body in [json!({}), json!({"isLiked": "true"}), json!({"isLiked": 1}), json!({"isLiked": null})] {
        let answer = ann.post(&post.path("/like"), body).await;
        assert!(answer.refused(400, "VALIDATION_FAILED").starts_with("isLiked"), "{answer}");
    }
}

#[tokio::test]
async fn hidden_posts_can_be_liked() {
    let world = World::new().await;
    let [ann, bob] = world.people(["ann", "bob"]).await;
    let post = ann.writes("hello").await;
    bob.post(&post.path("/hide"), json!(null)).await.ok();
    bob.likes(&post).await;
    world.settle().await;
    assert_eq!(ann.sees(&post).await["likesCount"], 1);
}

/// So many people whom the network does not know.
pub(crate) fn strangers(world: &World, many: usize) -> Vec<UserId> {
    let app = world.app();
    (0..many).map(|_| UserId::random_at(&app, app.now())).collect()
}

/// All of them like a post, or take it back. Returns the messages that follow.
pub(crate) async fn liking(world: &World, post: &Post, users: &[UserId], liked: bool) -> Vec<LikeJob> {
    let app = world.app();
    let (post, at) = (post.id.parse().unwrap(), app.now());
    let like = async |user: UserId| {
        let write = engagements::update_write(user, post).set("liked", liked).set("likedAt", at);
        app.table.write(write).await.unwrap();
        LikeJob::Added { user, post, at }
    };
    stream::iter(users).map(|it| like(*it)).buffered(8).collect().await
}

/// What people do to one another's posts.
#[derive(Clone, Copy, Debug)]
enum Step {
    Crowd(usize),
    Like(usize, usize),
    Unlike(usize, usize),
    Delete(usize),
    Settle(u64),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => (0..4usize, 0..2usize).prop_map(|(person, post)| Step::Like(person, post)),
        4 => (0..4usize, 0..2usize).prop_map(|(person, post)| Step::Unlike(person, post)),
        1 => (0..2usize).prop_map(Step::Delete),
        2 => (0..100u64).prop_map(Step::Settle),
        1 => (0..2usize).prop_map(Step::Crowd),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, max_shrink_iters: 50, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_happens_the_count_equals_the_likes(
        steps in prop::collection::vec(step(), 1..40),
        seed in 0..1000u64,
    ) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        runtime.unwrap().block_on(history(&steps, seed));
    }
}

/// Runs a history in a storm of faults, then checks the books.
async fn history(steps: &[Step], seed: u64) {
    let world = World::builder().settings(&[("WRITE_LIMIT_PER_5_MIN", "10000")]).start().await;
    let people = world.people(["ann", "bob", "cleo", "dan"]).await;
    let posts = [people[0].writes("one").await, people[1].writes("two").await];
    world.settle().await;
    let (mut liked, mut deleted, mut crowds) = (HashSet::new(), HashSet::new(), [0, 0]);
    let faults = [Fault::Conflict, Fault::Throttle, Fault::LostAnswer, Fault::Unprocessed, Fault::Refused];
    for step in steps {
        let crowd = match *step {
            Step::Crowd(post) => liking(&world, &posts[post], &strangers(&world, 200), true).await,
            _ => Vec::new(),
        };
        world.faults.storm(seed, 10, &faults);
        match *step {
            Step::Crowd(post) => {
                likes::apply(&world.app(), &crowd).await;
                crowds[post] += crowd.len();
            }
            Step::Like(person, post) => request(&people[person], &posts[post], true).await,
            Step::Unlike(person, post) => request(&people[person], &posts[post], false).await,
            Step::Delete(post) => _ = people[post].delete(&posts[post].path("")).await,
            Step::Settle(seed) => {
                world.faults.calm();
                world.settle_as(seed).await;
            }
        }
        world.faults.calm();
        // A message that failed comes again, and so does one that did not.
        assert!(likes::apply(&world.app(), &crowd).await.is_empty());
        // What came of it is asked in calm weather: a failed request may have done its work.
        if let Step::Delete(post) = *step {
            people[post].delete(&posts[post].path("")).await;
            deleted.insert(post);
        }
        if let Step::Like(person, post) | Step::Unlike(person, post) = *step {
            let wished = matches!(step, Step::Like(..));
            if !deleted.contains(&post) {
                request(&people[person], &posts[post], wished).await;
                if wished {
                    liked.insert((person, post))
                } else {
                    liked.remove(&(person, post))
                };
            }
        }
    }
    world.settle_as(seed).await;
    for (index, post) in posts.iter().enumerate().filter(|(index, _)| !deleted.contains(index)) {
        let expected = crowds[index] + liked.iter().filter(|(_, post)| *post == index).count();
        assert_eq!(world.anyone.get(&post.path("")).await.ok().data()["likesCount"], expected);
        for (person, someone) in people.iter().enumerate() {
            let seen = someone.sees(post).await;
            assert_eq!(seen["isLiked"], liked.contains(&(person, index)));
            assert_eq!(seen["likesCount"], expected);
        }
    }
}

async fn request(person: &Person, post: &Post, liked: bool) {
    person.post(&post.path("/like"), json!({ "isLiked": liked })).await;
}
