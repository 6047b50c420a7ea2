//! Follows, friend requests and blocks stay consistent during concurrent actions with faults.

use domain::people::friendships;
use futures::future::join_all;
use proptest::prelude::*;
use serde_json::{Value, json};
use tests::{Fault, Person, World};

use crate::{friends::request_path, setup::MANY_WRITES};

/// An action of one user that affects another user. It is a POST request below the path of the other user, with a body,
/// or a decision about a friend request.
type Action = (&'static str, Value);

fn action() -> impl Strategy<Value = (usize, usize, Action)> {
    let action = prop_oneof![
        4 => Just(("/follower", json!({ "isFollowing": true }))),
        2 => Just(("/follower", json!({ "isFollowing": false }))),
        1 => Just(("/block", json!({ "isBlocked": true }))),
        1 => Just(("/block", json!({ "isBlocked": false }))),
        3 => Just(("/friend-request", Value::Null)),
        1 => Just(("accept", Value::Null)),
        1 => Just(("cancel", Value::Null)),
    ];
    (0..3usize, 1..3usize, action).prop_map(|(one, step, action)| (one, (one + step) % 3, action))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, max_shrink_iters: 30, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn follow_and_friend_request_counts_are_exact_after_races(
        actions in prop::collection::vec(action(), 3..36),
        seed in 0..1000u64,
    ) {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        runtime.unwrap().block_on(history(&actions, seed));
    }
}

async fn history(actions: &[(usize, usize, Action)], seed: u64) {
    let (world, people) = World::builder().settings(MANY_WRITES).start_with(["ann", "bob", "cleo"]).await;
    let faults = [Fault::Conflict, Fault::Throttle, Fault::LostAnswer, Fault::Unprocessed, Fault::Refused];
    for together in actions.chunks(4) {
        world.faults.storm(seed, 8, &faults);
        join_all(together.iter().map(|(one, other, action)| run(&people[*one], &people[*other], action)))
            .await;
        world.faults.calm();
    }
    world.settle_as(seed).await;
    for one in &people {
        check_counts(&world, one).await;
        for other in people.iter().filter(|other| other.name != one.name) {
            check_block(one, other).await;
        }
    }
}

async fn run(one: &Person, other: &Person, (action, body): &Action) {
    match action.starts_with('/') {
        true => one.post(&other.path(action), body.clone()).await,
        false => one.patch(&request_path(other, action), Value::Null).await,
    };
}

async fn check_counts(world: &World, person: &Person) {
    let profile = person.meets(person).await;
    let count = async |path: &str| json!(person.get(path).await.ok().rows().len());
    assert_eq!(profile["followersCount"], count(&person.path("/followers")).await);
    assert_eq!(profile["followingCount"], count(&person.path("/following")).await);
    let pending = friendships::count_pending(&world.app(), person.id.parse().unwrap()).await.unwrap();
    assert_eq!(json!(pending), count("/me/friend-requests/received").await);
}

async fn check_block(one: &Person, other: &Person) {
    let profile = one.meets(other).await;
    let sent = one.get("/me/friend-requests/sent").await.ok();
    let asked = sent.column("receiverId").contains(&json!(other.id));
    let asked_by = other.get("/me/friend-requests/sent").await.ok().column("receiverId");
    let tied = profile["isFollowing"] == true || profile["isFollowedBy"] == true || asked;
    assert!(!(asked && asked_by.contains(&json!(one.id))), "two users have at most one friend request");
    assert!(!(profile["isBlocked"] == true && tied), "{profile}");
}
